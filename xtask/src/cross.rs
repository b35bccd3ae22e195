//! `echo-dr`'s preloaded object for AArch64, built on another machine. A toolchain without rustup's download site has the
//! standard library of its own machine only; Debian has both, so its compiler is unpacked into `target/cross` and run by
//! its own loader. Nothing is installed, nobody has to be root.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context as _, Result, bail};

use crate::machine::Machine;
use crate::step;

/// The target, as Rust calls it.
const TARGET: &str = "aarch64-unknown-linux-gnu";
/// Where the compiler is unpacked.
const FOLDER: &str = "target/cross";
/// Cargo's folder for what that compiler makes.
const BUILD: &str = "target/aarch64";
/// Debian's release with a compiler new enough (`rust-version` in `Cargo.toml`).
const RELEASE: &str = "testing";
const KEYRING: &str = "/usr/share/keyrings/debian-archive-keyring.gpg";
const DOWNLOAD_LIMIT: Duration = Duration::from_secs(300);
const BUILD_LIMIT: Duration = Duration::from_secs(600);

/// Builds the object. None where that is not possible, after saying so.
///
/// # Errors
/// If the compiler is there and the object does not compile or link.
pub(crate) fn object(machine: &Machine) -> Result<Option<PathBuf>> {
    if cfg!(target_arch = "aarch64") {
        return Ok(None); // the other steps build and test it
    }
    let compiler = match compiler(machine) {
        Ok(compiler) => compiler,
        Err(why) => {
            eprintln!("xtask: WARNING: {why:#}:");
            eprintln!("THE AArch64 OBJECT IS NOT BUILT AND ITS TESTS ARE SKIPPED.");
            return Ok(None);
        }
    };
    let mut cargo = Command::new("cargo");
    cargo.args(["build", "--quiet", "--package", "echo-preload", "--target", TARGET]);
    cargo.args(["--target-dir", BUILD]);
    cargo.env("RUSTC", compiler);
    cargo.env("CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER", LINKER);
    cargo.env("CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUSTFLAGS", LINKER_FLAGS);
    step::run("AArch64 object", BUILD_LIMIT, &mut cargo)?;
    let object = Path::new(BUILD).join(TARGET).join("debug/libecho_preload.so");
    Ok(Some(std::path::absolute(object)?))
}

const LINKER: &str = "clang-22";
const LINKER_FLAGS: &str = "-Clink-arg=--target=aarch64-linux-gnu";

/// A compiler that makes programs for the target, fetched if it is not there yet.
fn compiler(machine: &Machine) -> Result<PathBuf> {
    if !machine.links_aarch64() {
        bail!(
            "no linker and C library for AArch64 (as root on Debian, `cargo xtask test` installs them)"
        );
    }
    let folder = std::path::absolute(FOLDER)?;
    let compiler = folder.join("rustc");
    if works(&compiler) {
        return Ok(compiler);
    }
    if !(machine.apt && machine.programs.contains("dpkg-deb")) {
        bail!("no apt to fetch a compiler for AArch64 with");
    }
    fetch(&folder).context("cannot fetch a compiler for AArch64")?;
    script(&folder, &compiler)?;
    if !works(&compiler) {
        bail!("the compiler for AArch64 that was fetched does not work");
    }
    Ok(compiler)
}

/// Whether a program for the target can be compiled and linked.
fn works(compiler: &Path) -> bool {
    let Some(folder) = compiler.parent().filter(|_| compiler.is_file()) else { return false };
    let source = folder.join("probe.rs");
    fs::write(&source, "fn main() { println!(\"{}\", std::env::args().count()); }").is_ok()
        && Command::new(compiler)
            .args(["--target", TARGET, LINKER_FLAGS, &format!("-Clinker={LINKER}"), "-o"])
            .args([folder.join("probe"), source])
            .status()
            .is_ok_and(|status| status.success())
}

/// The compiler needs its own release's C library, so that release's loader starts it.
fn script(folder: &Path, compiler: &Path) -> Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    let root = folder.join("root/usr");
    let library = root.join("lib").join(format!("{}-linux-gnu", std::env::consts::ARCH));
    let loader = fs::read_dir(&library)?
        .flatten()
        .map(|entry| entry.path())
        .find(|path| {
            path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("ld-linux-"))
        })
        .context("no loader among the packages")?;
    let (root, library, loader) = (root.display(), library.display(), loader.display());
    let text = format!(
        "#!/bin/sh\nexec '{loader}' --library-path '{library}' '{root}/bin/rustc' --sysroot '{root}' \"$@\"\n"
    );
    fs::write(compiler, text)?;
    fs::set_permissions(compiler, fs::Permissions::from_mode(0o755))?;
    Ok(())
}

/// Unpacks the compiler, the libraries it runs with, and the standard libraries of both machines.
fn fetch(folder: &Path) -> Result<()> {
    let apt = folder.join("apt");
    let packages = folder.join("packages");
    for part in ["lists/partial", "cache/archives/partial"] {
        fs::create_dir_all(apt.join(part))?;
    }
    fs::create_dir_all(&packages)?;
    let machine = debian_name(std::env::consts::ARCH);
    let source = format!("deb [signed-by={KEYRING}] {} {RELEASE} main\n", repository()?);
    fs::write(apt.join("sources.list"), source)?;
    // What rustc asks for to link with; this machine has its own.
    let present = ["gcc", "libc-dev", "binutils"].map(|name| {
        format!(
            "Package: {name}\nStatus: install ok installed\nVersion: 99:0\nArchitecture: {machine}\nMulti-Arch: same\nMaintainer: none\nDescription: of this machine\n\n"
        )
    });
    fs::write(apt.join("status"), present.concat())?;
    fs::write(apt.join("options"), options(&apt, machine))?;
    let run = |name: &str, folder: &Path, arguments: &[&str]| {
        let mut command = Command::new("apt-get");
        // Slim systems keep no index of the lists, and would read them anew each time.
        let index = format!("Dir::Cache::pkgcache={}/index", apt.display());
        command.env("APT_CONFIG", apt.join("options")).current_dir(folder);
        command.args(["-o", &index]).args(arguments);
        step::run(name, DOWNLOAD_LIMIT, &mut command)
    };
    run("package lists for AArch64", &apt, &["update", "-qq"])?;
    run("fetch a compiler", &apt, &["install", "-qq", "-y", "--download-only", "rustc"])?;
    run("fetch AArch64's library", &packages, &["download", "-qq", "libstd-rust-dev:arm64"])?;
    let mut found = Vec::new();
    for place in [apt.join("cache/archives"), packages.clone()] {
        let files = fs::read_dir(place)?.flatten().map(|entry| entry.path());
        found.extend(files.filter(|path| path.extension().is_some_and(|end| end == "deb")));
    }
    unpack(&found, &folder.join("root"))?;
    fs::remove_dir_all(&apt)?;
    fs::remove_dir_all(&packages)?;
    Ok(())
}

/// Where this machine's own packages come from, which also has the other releases.
fn repository() -> Result<String> {
    let targets = Command::new("apt-get")
        .args(["indextargets", "--format", "$(CREATED_BY) $(LABEL) $(COMPONENT) $(REPO_URI)"])
        .output()
        .context("apt-get indextargets")?;
    let text = String::from_utf8_lossy(&targets.stdout).into_owned();
    let found = text.lines().find_map(|line| line.strip_prefix("Packages Debian main "));
    found.map(str::to_owned).context("this machine's packages do not come from Debian")
}

/// Options that keep apt to `folder`. Proxies and credentials stay the machine's.
fn options(folder: &Path, machine: &str) -> String {
    let at = folder.display();
    format!(
        r#"Dir::Etc::sourcelist "{at}/sources.list";
Dir::Etc::sourceparts "/dev/null";
Dir::Etc::preferences "/dev/null";
Dir::Etc::preferencesparts "/dev/null";
Dir::State "{at}";
Dir::State::lists "{at}/lists";
Dir::State::status "{at}/status";
Dir::Cache "{at}/cache";
Dir::Cache::archives "{at}/cache/archives";
APT::Architecture "{machine}";
APT::Architectures {{ "{machine}"; "arm64"; }};
APT::Install-Recommends "0";
APT::Sandbox::User "";
Acquire::Languages "none";
Acquire::IndexTargets::deb::DEP-11::DefaultEnabled "false";
Debug::NoLocking "1";
"#
    )
}

fn unpack(packages: &[PathBuf], root: &Path) -> Result<()> {
    fs::create_dir_all(root)?;
    // Unpacking is bound by the processor, and half the bytes are in two packages.
    let mut children = Vec::new();
    for package in packages {
        children.push(Command::new("dpkg-deb").arg("-x").arg(package).arg(root).spawn()?);
    }
    for mut child in children {
        if !child.wait()?.success() {
            bail!("dpkg-deb cannot unpack a package");
        }
    }
    Ok(())
}

/// Debian's name for a machine, given Rust's.
fn debian_name(machine: &str) -> &str {
    match machine {
        "x86_64" => "amd64",
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_machine_without_a_linker_is_told() {
        let why = compiler(&Machine::default()).expect_err("cannot");
        assert!(why.to_string().contains("no linker"), "{why}");
    }

    #[test]
    fn a_compiler_that_is_missing_or_broken_does_not_work() {
        let folder = std::env::temp_dir().join(format!("xtask-cross-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("folder");
        let compiler = folder.join("rustc");
        assert!(!works(&compiler));
        fs::write(&compiler, "").expect("file");
        assert!(!works(&compiler));
        fs::remove_dir_all(&folder).expect("removed");
    }

    #[test]
    fn apt_keeps_to_the_folder() {
        let text = options(Path::new("/somewhere"), "amd64");
        for line in
            text.lines().filter(|line| line.starts_with("Dir::") && !line.contains("/dev/null"))
        {
            assert!(line.contains("\"/somewhere"), "{line}");
        }
    }
}
