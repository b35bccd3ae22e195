//! Installs what is missing: with apt as root, else from the Python wheel into `target/`, else says what to do.

use std::collections::BTreeSet;
use std::process::Command;
use std::time::Duration;

use anyhow::{Result, bail};

use crate::emu::CLANG;
use crate::machine::{self, Machine};
use crate::step;

/// What the command to come needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Need {
    /// echo-fix itself: libclang with its built-in headers, and C++ standard headers.
    Tool,
    /// All tests: also a compiler for the emulator, a browser for the survey's report, git.
    Tests,
}

/// Oldest libclang that the front end works with, and the one it is tested with.
const OLDEST: u32 = 18;
const PREFERRED: u32 = 22;
const WHEEL: &str = "libclang-ng==22.1.4.2";
const BROWSERS: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];
const INSTALL_LIMIT: Duration = Duration::from_secs(600);

/// Makes sure that `need` is met.
///
/// # Errors
/// If something is missing that this user cannot install (the message names the command that would), or if an
/// installation fails.
pub(crate) fn ensure(need: Need) -> Result<()> {
    let machine = machine::look();
    let mut actions = decide(need, &machine, &Archive::unread());
    if actions.iter().any(|action| matches!(action, Action::Apt(_))) {
        // Which packages exist differs by release, so decide again by a fresh list.
        step::run("package lists", INSTALL_LIMIT, Command::new("apt-get").args(["update", "-qq"]))?;
        actions = decide(need, &machine, &Archive::read());
    }
    for action in actions {
        match action {
            Action::Apt(packages) => {
                let mut apt = Command::new("apt-get");
                apt.args(["install", "-y", "-qq", "--no-install-recommends"]).args(&packages);
                apt.env("DEBIAN_FRONTEND", "noninteractive");
                step::run(
                    &format!("apt-get install {}", packages.join(" ")),
                    INSTALL_LIMIT,
                    &mut apt,
                )?;
            }
            Action::Wheel => {
                let mut pip = Command::new("python3");
                pip.args([
                    "-m",
                    "pip",
                    "install",
                    "--quiet",
                    "--disable-pip-version-check",
                    "--upgrade",
                ]);
                pip.arg("--target").arg(machine::wheel_folder()).arg(WHEEL);
                step::run(&format!("{WHEEL} into target/"), INSTALL_LIMIT, &mut pip)?;
            }
            Action::Warn(what) => eprintln!("xtask: WARNING: {what}"),
            Action::Tell(what) => bail!(what),
        }
    }
    Ok(())
}

/// The environment of the tool and its tests: where the wheel's library lies, if that is the one to use.
pub(crate) fn environment() -> Vec<(&'static str, String)> {
    let machine = machine::look();
    if machine.libclang_chosen || usable(&machine.libclang).is_some() || !machine.wheel {
        return Vec::new();
    }
    let library = machine::wheel_library();
    vec![("LIBCLANG_PATH", std::path::absolute(&library).unwrap_or(library).display().to_string())]
}

/// What apt could install.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Archive {
    libclang: BTreeSet<u32>,
    libstdcpp: BTreeSet<u32>,
    clang: BTreeSet<u32>,
    /// C++ libraries for AArch64.
    aarch64: BTreeSet<u32>,
}

impl Archive {
    // Before the lists are read, everything is taken to be there.
    fn unread() -> Self {
        let all = BTreeSet::from([PREFERRED]);
        Self { libclang: all.clone(), libstdcpp: all.clone(), clang: all.clone(), aarch64: all }
    }

    fn read() -> Self {
        Self {
            libclang: machine::available_versions("libclang1-", ""),
            libstdcpp: machine::available_versions("libstdc++-", "-dev"),
            clang: machine::available_versions("clang-", ""),
            aarch64: machine::available_versions("libstdc++-", "-dev-arm64-cross"),
        }
    }
}

/// One thing to do.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Action {
    /// Install packages.
    Apt(Vec<String>),
    /// Install the Python wheel of libclang, which brings C++ headers of its own.
    Wheel,
    /// Go on without something, and say so.
    Warn(String),
    /// Stop, and say what a person should do.
    Tell(String),
}

/// What to do, in order; nothing if the machine has everything.
fn decide(need: Need, machine: &Machine, archive: &Archive) -> Vec<Action> {
    let may_install = machine.root && machine.apt;
    let mut packages: Vec<String> = Vec::new();
    let mut wheel = machine.wheel;
    if usable(&machine.libclang).is_none() && !machine.libclang_chosen && !machine.wheel {
        match usable(&archive.libclang).filter(|_| may_install) {
            Some(version) => {
                packages.push(format!("libclang1-{version}"));
                packages.push(format!("libclang-common-{version}-dev"));
            }
            None => wheel = true,
        }
    }
    if wheel && !machine.wheel && !machine.pip {
        if !may_install {
            return vec![Action::Tell(NO_LIBCLANG.into())];
        }
        packages.push("python3-pip".into());
    }
    // The wheel has a C++ library, but not the C headers below it; whoever links Rust programs has those.
    if !machine.cpp_headers && !wheel {
        match archive.libstdcpp.last().filter(|_| may_install) {
            Some(version) => packages.push(format!("libstdc++-{version}-dev")),
            None => return vec![Action::Tell(NO_HEADERS.into())],
        }
    }
    let mut actions = Vec::new();
    if need == Need::Tests {
        let mut missing: Vec<String> = Vec::new();
        if !machine.programs.contains(CLANG) {
            if !may_install {
                actions.push(Action::Warn(SKIPPED.into()));
            } else if archive.clang.contains(&PREFERRED) {
                missing.push(format!("clang-{PREFERRED}"));
            } else {
                return vec![Action::Tell(NO_CLANG.into())];
            }
        }
        if may_install
            && !machine.links_aarch64()
            && let Some(version) = archive.aarch64.last()
        {
            missing.push("binutils-aarch64-linux-gnu".into());
            missing.push(format!("libstdc++-{version}-dev-arm64-cross"));
            missing.push("qemu-user-static".into());
        }
        if !BROWSERS.iter().any(|browser| machine.programs.contains(browser)) {
            missing.push("chromium".into());
        }
        let others =
            ["git", "g++"].into_iter().filter(|program| !machine.programs.contains(program));
        missing.extend(others.map(Into::into));
        if !missing.is_empty() && !may_install {
            let missing = missing.join(" ");
            return vec![Action::Tell(format!(
                "the tests need more; as root: apt-get install {missing}"
            ))];
        }
        packages.append(&mut missing);
    }
    if !packages.is_empty() {
        actions.push(Action::Apt(packages));
    }
    if wheel && !machine.wheel {
        actions.push(Action::Wheel);
    }
    actions
}

const NO_LIBCLANG: &str = "no libclang 18 or later, and no pip to fetch one. Either, as root,
  apt-get install libclang1-22 libclang-common-22-dev libstdc++-12-dev
or install Python's pip (package python3-pip) and run this again, or set LIBCLANG_PATH to a libclang.so.";
const NO_HEADERS: &str =
    "no C++ standard headers in /usr/include/c++; as root: apt-get install g++";
const SKIPPED: &str =
    "no clang++-22, and no right to install it: THE TESTS THAT RUN CUDA PROGRAMS ARE SKIPPED.
As root: apt-get install clang-22";
const NO_CLANG: &str = "the emulator needs clang 22, which this release does not have.
On Debian 12 and later it is in the security suite; elsewhere see https://apt.llvm.org for a package source.";

// The version the front end is tested with if there, else the newest that works.
fn usable(versions: &BTreeSet<u32>) -> Option<u32> {
    versions
        .get(&PREFERRED)
        .or_else(|| versions.last())
        .copied()
        .filter(|&version| version >= OLDEST)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bare() -> Machine {
        Machine { apt: true, ..Machine::default() }
    }

    fn full() -> Machine {
        Machine {
            libclang: BTreeSet::from([22]),
            cpp_headers: true,
            programs: machine::PROGRAMS.into_iter().collect(),
            aarch64_libraries: true,
            ..bare()
        }
    }

    fn apt(packages: &[&str]) -> Action {
        Action::Apt(packages.iter().map(|&package| package.into()).collect())
    }

    fn debian() -> Archive {
        Archive {
            libclang: BTreeSet::from([13, 14, 16, 19, 22]),
            libstdcpp: BTreeSet::from([11, 12]),
            clang: BTreeSet::from([14, 19, 22]),
            aarch64: BTreeSet::from([10, 12]),
        }
    }

    #[test]
    fn a_full_machine_installs_nothing() {
        assert_eq!(decide(Need::Tool, &full(), &Archive::default()), []);
        assert_eq!(decide(Need::Tests, &full(), &Archive::default()), []);
    }

    #[test]
    fn root_installs_packages() {
        let machine = Machine { root: true, ..bare() };
        let tool = ["libclang1-22", "libclang-common-22-dev", "libstdc++-12-dev"];
        assert_eq!(decide(Need::Tool, &machine, &debian()), [apt(&tool)]);
        let cross =
            ["binutils-aarch64-linux-gnu", "libstdc++-12-dev-arm64-cross", "qemu-user-static"];
        let tests = [&tool[..], &["clang-22"], &cross, &["chromium", "git", "g++"]].concat();
        assert_eq!(decide(Need::Tests, &machine, &debian()), [apt(&tests)]);
    }

    #[test]
    fn an_older_release_gives_its_newest_libclang() {
        let machine = Machine { root: true, cpp_headers: true, ..bare() };
        let archive = Archive { libclang: BTreeSet::from([14, 18, 20]), ..debian() };
        let packages = ["libclang1-20", "libclang-common-20-dev"];
        assert_eq!(decide(Need::Tool, &machine, &archive), [apt(&packages)]);
    }

    #[test]
    fn a_release_without_a_usable_libclang_gives_the_wheel() {
        let machine = Machine { root: true, cpp_headers: true, pip: true, ..bare() };
        let archive = Archive { libclang: BTreeSet::from([13, 16]), ..debian() };
        assert_eq!(decide(Need::Tool, &machine, &archive), [Action::Wheel]);
        let without_pip = Machine { pip: false, ..machine };
        let both = [apt(&["python3-pip"]), Action::Wheel];
        assert_eq!(decide(Need::Tool, &without_pip, &archive), both);
    }

    #[test]
    fn anyone_else_gets_the_wheel_or_is_told() {
        let machine = Machine { pip: true, ..bare() };
        assert_eq!(decide(Need::Tool, &machine, &debian()), [Action::Wheel]);
        let told = decide(Need::Tool, &bare(), &debian());
        assert!(
            matches!(&told[..], [Action::Tell(what)] if what.contains("apt-get install libclang1-22"))
        );
        let told = decide(
            Need::Tests,
            &Machine { programs: BTreeSet::from(["git"]), ..full() },
            &debian(),
        );
        assert!(matches!(&told[..], [Action::Tell(what)] if what.contains("install chromium g++")));
    }

    #[test]
    fn without_the_right_to_install_clang_its_tests_are_skipped_aloud() {
        let mut machine = full();
        machine.programs.remove(CLANG);
        assert_eq!(decide(Need::Tests, &machine, &debian()), [Action::Warn(SKIPPED.into())]);
        assert_eq!(decide(Need::Tool, &machine, &debian()), []);
    }

    #[test]
    fn a_release_without_aarch64_goes_without() {
        let machine = Machine { root: true, aarch64_libraries: false, ..full() };
        let archive = Archive { aarch64: BTreeSet::new(), ..debian() };
        assert_eq!(decide(Need::Tests, &machine, &archive), []);
        assert_eq!(decide(Need::Tests, &Machine { root: false, ..machine }, &debian()), []);
    }

    #[test]
    fn an_old_libclang_does_not_count() {
        let machine = Machine { root: true, libclang: BTreeSet::from([14]), ..full() };
        let packages = ["libclang1-22", "libclang-common-22-dev"];
        assert_eq!(decide(Need::Tool, &machine, &debian()), [apt(&packages)]);
    }

    #[test]
    fn a_library_of_the_users_choice_is_left_alone() {
        let machine = Machine { libclang_chosen: true, libclang: BTreeSet::new(), ..full() };
        assert_eq!(decide(Need::Tests, &machine, &debian()), []);
    }

    #[test]
    fn without_clang_for_the_emulator_the_tests_say_so() {
        let machine = Machine { root: true, programs: BTreeSet::from(["git", "g++"]), ..full() };
        let archive = Archive { clang: BTreeSet::from([14, 18]), ..debian() };
        assert_eq!(decide(Need::Tests, &machine, &archive), [Action::Tell(NO_CLANG.into())]);
    }
}
