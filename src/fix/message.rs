//! Messages between a worker and its parent: the length in bytes, 8 bytes, little-endian; then the bytes.

use std::io::{ErrorKind, Read, Result, Write};

/// Writes one message.
pub(crate) fn write_message(to: &mut impl Write, message: &[u8]) -> Result<()> {
    to.write_all(&(message.len() as u64).to_le_bytes())?;
    to.write_all(message)?;
    to.flush()
}

/// Reads one message; `None` where the stream ends before it.
///
/// # Errors
/// If the stream cannot be read, or ends within the message.
pub(crate) fn read_message(from: &mut impl Read) -> Result<Option<Vec<u8>>> {
    let mut length = [0; 8];
    match from.read_exact(&mut length) {
        Err(error) if error.kind() == ErrorKind::UnexpectedEof => return Ok(None),
        other => other?,
    }
    let length = u64::from_le_bytes(length);
    let mut message = Vec::new();
    if from.take(length).read_to_end(&mut message)? as u64 == length {
        Ok(Some(message))
    } else {
        Err(ErrorKind::UnexpectedEof.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let mut stream = Vec::new();
        for message in [&b"one"[..], b"", b"three"] {
            write_message(&mut stream, message).unwrap();
        }
        let mut stream = &stream[..];
        assert_eq!(read_message(&mut stream).unwrap().unwrap(), b"one");
        assert_eq!(read_message(&mut stream).unwrap().unwrap(), b"");
        assert_eq!(read_message(&mut stream).unwrap().unwrap(), b"three");
        assert!(read_message(&mut stream).unwrap().is_none());
    }

    #[test]
    fn a_stream_that_ends_early_is_an_error() {
        let mut stream = Vec::new();
        write_message(&mut stream, b"whole").unwrap();
        assert!(read_message(&mut &stream[..stream.len() - 1]).is_err());
    }
}
