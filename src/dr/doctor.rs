//! `echo-dr doctor`: whether and how a program can be helped.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use echo_runtime::elf::{self, Facts};

use super::arguments::Doctor;
use super::status::End;

/// What the doctor found; printed in this order.
#[derive(Default)]
struct Findings {
    lines: Vec<(Weight, String)>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Weight {
    Fine,
    Note,
    Obstacle,
}

impl Findings {
    fn add(&mut self, weight: Weight, text: impl Into<String>) {
        self.lines.push((weight, text.into()));
    }
}

/// `echo-dr doctor`.
pub(crate) fn doctor(options: &Doctor) -> anyhow::Result<End> {
    let path = find(&options.program)?;
    let mut findings = Findings::default();
    program(&path, &mut findings);
    system(&mut findings);
    for (weight, text) in &findings.lines {
        let mark = match weight {
            Weight::Fine => "ok  ",
            Weight::Note => "note",
            Weight::Obstacle => "no  ",
        };
        println!("{mark} {text}");
    }
    let obstacles = findings.lines.iter().filter(|(weight, _)| *weight == Weight::Obstacle).count();
    if obstacles == 0 {
        println!("echo-dr can be tried: echo-dr auto -- {}", options.program.display());
    } else {
        println!("echo-dr cannot help this program here.");
    }
    Ok(End::Code(u8::from(obstacles > 0)))
}

/// The program as the shell would find it.
fn find(program: &Path) -> anyhow::Result<PathBuf> {
    if program.components().count() > 1 || program.is_absolute() {
        return program.canonicalize().with_context(|| program.display().to_string());
    }
    let folders = std::env::var_os("PATH").unwrap_or_default();
    match std::env::split_paths(&folders)
        .map(|folder| folder.join(program))
        .find(|path| path.is_file())
    {
        Some(path) => Ok(path.canonicalize()?),
        None => bail!("{} was not found", program.display()),
    }
}

fn program(path: &Path, findings: &mut Findings) {
    let Some(facts) = elf::facts(path) else {
        let start = std::fs::read(path).unwrap_or_default();
        if start.starts_with(b"#!") {
            let line =
                String::from_utf8_lossy(&start).lines().next().unwrap_or_default().to_owned();
            findings.add(
                Weight::Note,
                format!("a script ({line}): the plan is made for the CUDA process it starts; ask about the interpreter too"),
            );
        } else {
            findings.add(
                Weight::Obstacle,
                "not a 64-bit ELF program: nothing can be preloaded into it",
            );
        }
        return;
    };
    if facts.machine != machine() {
        findings.add(
            Weight::Obstacle,
            format!("built for {}, this machine is {}", facts.machine, machine()),
        );
    }
    if facts.dynamic {
        findings.add(Weight::Fine, "linked dynamically: LD_PRELOAD reaches it");
    } else {
        findings
            .add(Weight::Obstacle, "statically linked (libc too): LD_PRELOAD does not reach it");
    }
    if let Ok(status) = std::fs::metadata(path)
        && status.permissions().mode() & 0o6000 != 0
    {
        findings.add(Weight::Obstacle, "setuid or setgid: the loader ignores LD_PRELOAD");
    }
    cuda(&facts, findings);
    if !facts.search_path.is_empty() {
        findings.add(
            Weight::Note,
            format!(
                "own library search path {}: harmless, hooks are at the driver",
                facts.search_path.join(":")
            ),
        );
    }
    if facts.own_malloc {
        findings.add(
            Weight::Obstacle,
            "defines malloc itself (jemalloc, tcmalloc?): its host buffers cannot be replaced",
        );
    }
    if facts.uses_dlmopen {
        findings.add(
            Weight::Note,
            "uses dlmopen: what it loads into another namespace is not seen (nor is anything loaded with RTLD_DEEPBIND)",
        );
    }
}

fn cuda(facts: &Facts, findings: &mut Findings) {
    let needs = |name: &str| facts.needed.iter().any(|needed| needed.starts_with(name));
    if facts.static_cudart {
        findings.add(Weight::Fine, "CUDA runtime linked statically: seen through the driver");
    } else if needs("libcudart") {
        findings.add(Weight::Fine, "CUDA runtime shared: seen through the driver");
    } else if needs("libcuda.so") {
        findings.add(Weight::Fine, "uses the CUDA driver directly: seen");
    } else if facts.mentions_cuda {
        findings.add(Weight::Fine, "loads CUDA with dlopen: seen through the driver");
    } else {
        findings.add(
            Weight::Note,
            "no CUDA found in the program itself: perhaps in its libraries or plug-ins (a Python program, say)",
        );
    }
}

fn machine() -> &'static str {
    match std::env::consts::ARCH {
        "x86_64" => "x86-64",
        "aarch64" => "AArch64",
        other => other,
    }
}

fn system(findings: &mut Findings) {
    match super::preload::object() {
        Err(error) => findings.add(Weight::Obstacle, format!("{error:#}")),
        Ok(object) => {
            let needed = elf::facts(&object).and_then(|facts| facts.glibc);
            match (glibc(), needed) {
                (Some(have), Some(need)) if have < need => findings.add(
                    Weight::Obstacle,
                    format!(
                        "glibc {}.{} is here, the preloaded object was built for {}.{}: build it on this system",
                        have.0, have.1, need.0, need.1
                    ),
                ),
                (Some(have), _) => findings.add(Weight::Fine, format!("glibc {}.{}", have.0, have.1)),
                (None, _) => findings.add(Weight::Obstacle, "this system's libc is not glibc"),
            }
        }
    }
    if let Ok(Some(page)) = nix::unistd::sysconf(nix::unistd::SysconfVar::PAGE_SIZE) {
        let weight = if page == 4096 { Weight::Fine } else { Weight::Note };
        findings.add(weight, format!("page size {page} bytes"));
    }
    driver(findings);
    userfaultfd(findings);
    if std::env::var_os("ECHO_DR").is_some_and(|value| value == "off") {
        findings.add(Weight::Obstacle, "ECHO_DR=off is set: programs run unchanged");
    }
}

fn glibc() -> Option<(u32, u32)> {
    let output = std::process::Command::new("getconf").arg("GNU_LIBC_VERSION").output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let mut parts = text.trim().strip_prefix("glibc ")?.split('.').map(|part| part.parse().ok());
    Some((parts.next()??, parts.next()??))
}

/// The driver answers in a process of its own, since asking it loads it.
fn driver(findings: &mut Findings) {
    match device() {
        Ok(device) => {
            findings.add(
                Weight::Fine,
                format!("driver {}.{}", device.driver / 1000, device.driver % 1000 / 10),
            );
            for (name, attributes) in device.devices {
                findings.add(Weight::Fine, format!("{name}: {attributes}"));
            }
        }
        Err(why) => findings.add(Weight::Obstacle, format!("no CUDA driver: {why}")),
    }
}

struct Devices {
    driver: i32,
    devices: Vec<(String, String)>,
}

/// Names and numbers of the attributes that decide which memory kinds are possible.
const ATTRIBUTES: [(&str, i32); 5] = [
    ("integrated", 18),
    ("concurrentManagedAccess", 89),
    ("pageableMemoryAccess", 88),
    ("canUseHostPointerForRegisteredMem", 91),
    ("hostRegisterSupported", 99),
];

#[allow(unsafe_code)]
fn device() -> Result<Devices, String> {
    // SAFETY: libcuda.so.1 is the CUDA driver; the functions have the documented prototypes.
    unsafe {
        let library =
            libloading::Library::new("libcuda.so.1").map_err(|error| error.to_string())?;
        let init: libloading::Symbol<unsafe extern "C" fn(u32) -> i32> =
            library.get(b"cuInit\0").map_err(|error| error.to_string())?;
        let version: libloading::Symbol<unsafe extern "C" fn(*mut i32) -> i32> =
            library.get(b"cuDriverGetVersion\0").map_err(|error| error.to_string())?;
        let count: libloading::Symbol<unsafe extern "C" fn(*mut i32) -> i32> =
            library.get(b"cuDeviceGetCount\0").map_err(|error| error.to_string())?;
        let name: libloading::Symbol<unsafe extern "C" fn(*mut u8, i32, i32) -> i32> =
            library.get(b"cuDeviceGetName\0").map_err(|error| error.to_string())?;
        let attribute: libloading::Symbol<unsafe extern "C" fn(*mut i32, i32, i32) -> i32> =
            library.get(b"cuDeviceGetAttribute\0").map_err(|error| error.to_string())?;
        let status = init(0);
        if status != 0 {
            return Err(format!("cuInit answers {status}"));
        }
        let (mut driver, mut number) = (0, 0);
        version(&mut driver);
        count(&mut number);
        if number == 0 {
            return Err("it finds no device".to_owned());
        }
        let mut devices = Vec::new();
        for ordinal in 0..number {
            let mut text = [0u8; 256];
            name(text.as_mut_ptr(), 255, ordinal);
            let text = text.split(|&byte| byte == 0).next().unwrap_or_default();
            let mut words = Vec::new();
            for (label, code) in ATTRIBUTES {
                let mut value = 0;
                attribute(&mut value, code, ordinal);
                words.push(format!("{label}={value}"));
            }
            devices.push((String::from_utf8_lossy(text).into_owned(), words.join(" ")));
        }
        // The driver does not like to be unloaded.
        std::mem::forget(library);
        Ok(Devices { driver, devices })
    }
}

fn userfaultfd(findings: &mut Findings) {
    let allowed = std::fs::read_to_string("/proc/sys/vm/unprivileged_userfaultfd")
        .is_ok_and(|text| text.trim() == "1");
    let device = std::fs::File::options().read(true).write(true).open("/dev/userfaultfd").is_ok();
    if allowed || device || nix::unistd::geteuid().is_root() {
        findings.add(Weight::Fine, "userfaultfd: allowed, validation sees every access");
    } else {
        findings.add(
            Weight::Note,
            "userfaultfd: not allowed (needs root, vm.unprivileged_userfaultfd=1 or access to /dev/userfaultfd); validation uses page protection",
        );
    }
}
