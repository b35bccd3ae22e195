//! What an executable file tells about how it reaches CUDA.

use std::path::Path;

use object::read::elf::{Dyn, FileHeader, ProgramHeader};
use object::{Endianness, Object, ObjectSection, ObjectSymbol, elf};

/// Facts about an ELF file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Facts {
    /// It has a program interpreter, that is, it is linked dynamically.
    pub dynamic: bool,
    /// DT_NEEDED entries.
    pub needed: Vec<String>,
    /// DT_RPATH or DT_RUNPATH entries.
    pub search_path: Vec<String>,
    /// Defines `cuda*` text symbols itself: the CUDA runtime is linked statically.
    pub static_cudart: bool,
    /// Mentions libcudart or libcuda only as text: loads it with dlopen.
    pub mentions_cuda: bool,
    /// Mentions RTLD_DEEPBIND's usual users: cannot be seen in general, so only whether dlmopen or
    /// an own allocator is there.
    pub uses_dlmopen: bool,
    /// Defines malloc itself (jemalloc, tcmalloc linked in).
    pub own_malloc: bool,
    /// Machine as the file says: x86-64, AArch64 or another number.
    pub machine: String,
    /// Highest glibc symbol version that it needs.
    pub glibc: Option<(u32, u32)>,
}

/// Reads the facts; `None` if the file is no 64-bit ELF.
pub fn facts(path: &Path) -> Option<Facts> {
    let bytes = std::fs::read(path).ok()?;
    let file = object::File::parse(&*bytes).ok()?;
    let mut facts = Facts { ..Facts::default() };
    let header = elf::FileHeader64::<Endianness>::parse(&*bytes).ok()?;
    let endian = header.endian().ok()?;
    facts.machine = match header.e_machine(endian) {
        elf::EM_X86_64 => "x86-64".to_owned(),
        elf::EM_AARCH64 => "AArch64".to_owned(),
        other => format!("ELF machine {other}"),
    };
    for segment in header.program_headers(endian, &*bytes).ok()? {
        if segment.p_type(endian) == elf::PT_INTERP {
            facts.dynamic = true;
        }
    }
    let sections = header.sections(endian, &*bytes).ok()?;
    if let Ok(Some((dynamic, link))) = sections.dynamic(endian, &*bytes)
        && let Ok(strings) = sections.strings(endian, &*bytes, link)
    {
        for entry in dynamic {
            let tag = entry.tag32(endian).unwrap_or(0);
            let text = || {
                entry
                    .string(endian, strings)
                    .ok()
                    .map(|text| String::from_utf8_lossy(text).into_owned())
            };
            match tag {
                elf::DT_NEEDED => facts.needed.extend(text()),
                elf::DT_RPATH | elf::DT_RUNPATH => facts.search_path.extend(text()),
                _ => {}
            }
        }
    }
    for symbol in file.symbols().chain(file.dynamic_symbols()) {
        let Ok(name) = symbol.name() else { continue };
        if symbol.is_definition() {
            facts.static_cudart |=
                matches!(name, "cudaMalloc" | "cudaMemcpy" | "__cudaRegisterFatBinary");
            facts.own_malloc |= name == "malloc";
        } else {
            facts.uses_dlmopen |= name.starts_with("dlmopen");
        }
    }
    for section in file.sections() {
        let Ok(data) = section.data() else { continue };
        match section.name() {
            // A stripped program with a static runtime still holds this text and the fat binary.
            Ok(".rodata" | ".rodata1") => {
                facts.mentions_cuda |= holds(data, b"libcuda.so.1") || holds(data, b"libcudart.so");
            }
            Ok(".nv_fatbin" | "__nv_relfatbin") => facts.static_cudart |= !data.is_empty(),
            Ok(".dynstr") => facts.glibc = newest_glibc(data),
            _ => {}
        }
    }
    if facts.needed.iter().any(|name| name.starts_with("libcudart")) {
        facts.static_cudart = false;
    }
    Some(facts)
}

fn holds(data: &[u8], text: &[u8]) -> bool {
    data.windows(text.len()).any(|window| window == text)
}

fn newest_glibc(names: &[u8]) -> Option<(u32, u32)> {
    names
        .split(|&byte| byte == 0)
        .filter_map(|name| std::str::from_utf8(name).ok()?.strip_prefix("GLIBC_"))
        .filter_map(|version| {
            let mut parts = version.split('.').map(|part| part.parse().ok());
            Some((parts.next()??, parts.next()??))
        })
        .max()
}

/// The GNU build-id in hexadecimal.
pub fn build_id(path: &Path) -> Option<String> {
    // Math libraries have hundreds of megabytes: only what is looked at is read.
    let cache = object::ReadCache::new(std::fs::File::open(path).ok()?);
    let file = object::File::parse(&cache).ok()?;
    let id = file.build_id().ok()??;
    (!id.is_empty()).then(|| id.iter().map(|byte| format!("{byte:02x}")).collect())
}
