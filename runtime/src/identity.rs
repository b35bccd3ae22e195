//! What a plan is bound to: executable, libraries, interposer, host, arguments, GPU, driver.

use std::io::{Read, Seek, SeekFrom};
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::elf;
use crate::trace::Trace;

/// A file and what identifies its content.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FileIdentity {
    /// Path.
    pub path: String,
    /// Length in bytes.
    pub bytes: u64,
    /// `sha256:...` of the whole file, `build-id:...`, or `sampled:...` (a hash over the length, both
    /// ends and 64 blocks in between, for large files without build-id).
    pub id: String,
}

/// Everything that must be equal in a later run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Context {
    /// The program.
    pub executable: FileIdentity,
    /// Objects it had loaded (driver, runtime and math libraries included).
    pub libraries: Vec<FileIdentity>,
    /// The preloaded object.
    pub interposer: FileIdentity,
    /// Host name.
    pub host: String,
    /// Command line as given to echo-dr.
    pub arguments: Vec<String>,
    /// FNV-1a 64 of the traced process's command line, 16 hexadecimal digits.
    pub arguments_hash: String,
    /// Device name.
    pub gpu: String,
    /// Device UUID, 32 hexadecimal digits.
    pub gpu_uuid: String,
    /// Device ordinal.
    pub gpu_ordinal: u64,
    /// Driver version, e.g. 13000.
    pub driver: u64,
    /// Bits of [`crate::wire::attribute`].
    pub attributes: u64,
}

const WHOLE: u64 = 16 << 20;

/// Identifies a file. `whole` hashes all of it whatever its size.
///
/// # Errors
/// If it cannot be read.
pub fn of_file(path: &Path, whole: bool) -> std::io::Result<FileIdentity> {
    let mut file = std::fs::File::open(path)?;
    let bytes = file.metadata()?.len();
    let id = if whole {
        format!("sha256:{}", hash(&mut file)?)
    } else if let Some(id) = elf::build_id(path) {
        format!("build-id:{id}")
    } else if bytes <= WHOLE {
        format!("sha256:{}", hash(&mut file)?)
    } else {
        format!("sampled:{}", sample(&mut file, bytes)?)
    };
    Ok(FileIdentity { path: path.to_string_lossy().into_owned(), bytes, id })
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn hash(file: &mut std::fs::File) -> std::io::Result<String> {
    let mut sum = Sha256::new();
    let mut buffer = vec![0; 1 << 16];
    loop {
        let got = file.read(&mut buffer)?;
        if got == 0 {
            return Ok(hex(&sum.finalize()));
        }
        sum.update(&buffer[..got]);
    }
}

fn sample(file: &mut std::fs::File, bytes: u64) -> std::io::Result<String> {
    let mut sum = Sha256::new();
    sum.update(bytes.to_le_bytes());
    let mut buffer = vec![0; 4096];
    for block in 0..=65 {
        file.seek(SeekFrom::Start((bytes - 4096) / 65 * block))?;
        file.read_exact(&mut buffer)?;
        sum.update(&buffer);
    }
    Ok(hex(&sum.finalize()))
}

/// Name of this host; empty if the system does not tell.
pub fn host_name() -> String {
    std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default().trim().to_owned()
}

/// The context of a profiled run.
///
/// # Errors
/// If the executable or the interposer cannot be read. Libraries that are gone are left out.
pub fn of_run(trace: &Trace, interposer: &Path, arguments: &[String]) -> std::io::Result<Context> {
    let own = of_file(interposer, true)?;
    let libraries = trace
        .libraries
        .iter()
        .filter(|path| Path::new(path) != interposer)
        .filter_map(|path| of_file(Path::new(path), false).ok())
        .collect();
    Ok(Context {
        executable: of_file(Path::new(&trace.executable), true)?,
        libraries,
        interposer: own,
        host: host_name(),
        arguments: arguments.to_vec(),
        arguments_hash: format!("{:016x}", trace.header.arguments),
        gpu: trace.header.device.clone(),
        gpu_uuid: format!("{:016x}{:016x}", trace.header.uuid[0], trace.header.uuid[1]),
        gpu_ordinal: trace.header.ordinal,
        driver: trace.header.driver,
        attributes: trace.header.attributes,
    })
}

/// Device and inode number of a file.
///
/// # Errors
/// If it is not there.
pub fn inode(path: &Path) -> std::io::Result<(u64, u64)> {
    let status = std::fs::metadata(path)?;
    Ok((status.dev(), status.ino()))
}

impl Context {
    /// UUID as two words.
    pub fn uuid(&self) -> [u64; 2] {
        let half = |range| {
            self.gpu_uuid
                .get(range)
                .and_then(|part| u64::from_str_radix(part, 16).ok())
                .unwrap_or(0)
        };
        [half(0..16), half(16..32)]
    }

    /// What differs from now, in words; `None` if all that can be checked before the start agrees.
    /// Driver and GPU are checked inside the process, at its first device allocation.
    pub fn mismatch(&self, interposer: &Path, arguments: &[String]) -> Option<String> {
        if host_name() != self.host {
            return Some(format!("the plan was made on host {}", self.host));
        }
        if arguments != self.arguments {
            return Some("the plan was made for other arguments".to_owned());
        }
        let changed =
            |known: &FileIdentity, whole: bool| match of_file(Path::new(&known.path), whole) {
                Ok(now) if now.id == known.id && now.bytes == known.bytes => None,
                Ok(_) => Some(format!("{} has changed since the plan was made", known.path)),
                Err(error) => Some(format!("{}: {error}", known.path)),
            };
        match of_file(interposer, true) {
            Ok(now) if now.id == self.interposer.id => {}
            Ok(_) => {
                return Some(
                    "the plan was made with another version of echo-dr's object".to_owned(),
                );
            }
            Err(error) => return Some(format!("{}: {error}", interposer.display())),
        }
        changed(&self.executable, true)
            .or_else(|| self.libraries.iter().find_map(|library| changed(library, false)))
    }
}
