//! Traces survive any cut and any damage: what is whole is read, the rest is counted, nothing panics.

use std::path::Path;

use echo_runtime::trace::{Direction, Event, Trace, TraceError, decode};
use echo_runtime::wire::{self, copy_flag, kind, record_check, text, trace as layout};

fn record(kind: u8, flags: u8, rest: [u64; 6]) -> Vec<u8> {
    let first = u64::from(kind) | u64::from(flags) << 8 | 7 << 32;
    let words = [first, rest[0], rest[1], rest[2], rest[3], rest[4], rest[5]];
    let mut bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    bytes.extend(record_check(&words).to_le_bytes());
    bytes
}

fn texts(which: u8, value: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    for (index, part) in value.as_bytes().chunks(48).enumerate() {
        let mut words = [0u64; 6];
        for (at, &byte) in part.iter().enumerate() {
            words[at / 8] |= u64::from(byte) << (at % 8 * 8);
        }
        bytes.extend(record(
            kind::TEXT,
            if index == 0 { which } else { which | text::MORE },
            words,
        ));
    }
    bytes
}

fn sample() -> Vec<u8> {
    let mut bytes = vec![0u8; layout::HEADER_BYTES];
    bytes[..8].copy_from_slice(&wire::TRACE_MAGIC.to_le_bytes());
    bytes[8..16].copy_from_slice(&wire::VERSION.to_le_bytes());
    bytes[layout::PID * 8] = 42;
    bytes[layout::NAME * 8..layout::NAME * 8 + 4].copy_from_slice(b"Orin");
    bytes.extend(texts(text::EXECUTABLE, &format!("/opt/{}/app", "long/".repeat(30))));
    bytes.extend(texts(text::LIBRARY, "/lib/b.so"));
    bytes.extend(texts(text::LIBRARY, "/lib/a.so"));
    bytes.extend(texts(text::LIBRARY, "/lib/b.so"));
    bytes.extend(record(kind::HOST_ALLOC, 1, [1, 0x1000, 0, 300_000, 0xaa, 0]));
    bytes.extend(record(kind::DEVICE_ALLOC, 0, [2, 0x9000, 0, 300_000, 0xbb, 0]));
    let flags = copy_flag::ASYNC | copy_flag::CLEAN;
    bytes.extend(record(kind::DOWNLOAD, flags, [3, 0x1000, 0x9000, 300_000, 0xcc, 5]));
    bytes.extend(record(kind::WAIT, copy_flag::EVERYTHING, [4, 0, 0, 0, 0, 9]));
    bytes
}

fn read(bytes: &[u8]) -> Result<Trace, TraceError> {
    decode(bytes, Path::new("t"))
}

#[test]
fn a_whole_trace() {
    let trace = read(&sample()).unwrap();
    assert_eq!(trace.header.pid, 42);
    assert_eq!(trace.header.device, "Orin");
    assert_eq!(trace.executable, format!("/opt/{}/app", "long/".repeat(30)));
    assert_eq!(trace.libraries, ["/lib/a.so", "/lib/b.so"]);
    assert_eq!(trace.torn, 0);
    assert_eq!(trace.events.len(), 4);
    assert_eq!(
        trace.events[2],
        Event::Copied {
            direction: Direction::Download,
            host: 0x1000,
            device: 0x9000,
            bytes: 300_000,
            site: 0xcc,
            stream: 5,
            asynchronous: true,
            clean: true,
            capturing: false,
            time: 3,
        }
    );
    assert_eq!(trace.events[3], Event::Waited { stream: None });
}

#[test]
fn every_cut() {
    let whole = sample();
    let full = read(&whole).unwrap();
    for length in 0..whole.len() {
        match read(&whole[..length]) {
            Ok(trace) => {
                assert!(length >= layout::HEADER_BYTES);
                assert!(full.events.starts_with(&trace.events), "cut at {length}");
                assert!(trace.truncated || length == layout::HEADER_BYTES);
            }
            Err(error) => {
                assert!(length < layout::HEADER_BYTES);
                assert!(error.to_string().contains("not a complete"));
            }
        }
    }
}

#[test]
fn every_damaged_byte_of_a_record_is_noticed() {
    let whole = sample();
    let full = read(&whole).unwrap();
    for at in layout::HEADER_BYTES..whole.len() {
        let mut damaged = whole.clone();
        damaged[at] ^= 0x5a;
        let trace = read(&damaged).unwrap();
        assert_eq!(trace.torn, 1, "byte {at}");
        assert!(trace.events.len() + 1 >= full.events.len());
    }
}

#[test]
fn unwritten_records_are_no_damage_and_unknown_kinds_are() {
    let mut bytes = sample();
    bytes.extend([0; 64]);
    bytes.extend(record(200, 0, [0; 6]));
    bytes.extend(record(kind::HOST_ALLOC, 77, [0; 6]));
    let trace = read(&bytes).unwrap();
    assert_eq!(trace.torn, 2);
    assert_eq!(trace.events.len(), 4);
}
