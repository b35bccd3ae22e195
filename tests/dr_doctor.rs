//! `echo-dr doctor`: plain words and an exit status.

mod dr_support;

use std::os::unix::fs::PermissionsExt;
use std::process::Command;

use dr_support::{echo_dr, folder, text};

fn doctor(program: &str) -> (Option<i32>, String) {
    let done = echo_dr().args(["doctor", program]).output().unwrap();
    (done.status.code(), text(&done.stdout) + &text(&done.stderr))
}

fn compile(name: &str, source: &str, arguments: &[&str]) -> String {
    let input = folder().join(format!("{name}.c"));
    std::fs::write(&input, source).unwrap();
    let output = folder().join(name).to_str().unwrap().to_owned();
    let done =
        Command::new("cc").arg(&input).args(["-o", &output]).args(arguments).output().unwrap();
    assert!(done.status.success(), "{}", text(&done.stderr));
    output
}

#[test]
fn a_program_that_can_be_helped() {
    let (status, said) = doctor(folder().join("lookup").to_str().unwrap());
    assert_eq!(status, Some(0), "{said}");
    for part in [
        "linked dynamically",
        "loads CUDA with dlopen",
        "driver 13.0",
        "Fake GPU: integrated=1",
        "glibc 2.",
        "page size",
        "userfaultfd",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
    let (status, said) = doctor(folder().join("linked").to_str().unwrap());
    assert_eq!(status, Some(0));
    assert!(said.contains("uses the CUDA driver directly"), "{said}");
}

#[test]
fn the_emulators_driver_answers_too() {
    let Some(emulated) = dr_support::emulated() else { return };
    let mut command = echo_dr();
    command.env("LD_LIBRARY_PATH", &emulated.folder).arg("doctor");
    let done = command.arg(emulated.folder.join("lookup")).output().unwrap();
    let said = text(&done.stdout) + &text(&done.stderr);
    assert_eq!(done.status.code(), Some(0), "{said}");
    assert!(
        said.contains("driver 12.6") && said.contains("emulated device: integrated=1"),
        "{said}"
    );
}

#[test]
fn programs_that_cannot() {
    let own = "#include <stddef.h>\nvoid *malloc(size_t n) { (void)n; return 0; }\nint main(void) { return 0; }\n";
    let (status, said) = doctor(&compile("own-malloc", own, &["-fno-builtin", "-rdynamic"]));
    assert_eq!(status, Some(1));
    assert!(said.contains("defines malloc itself"), "{said}");
    let plain = "int main(void) { return 0; }\n";
    let (status, said) = doctor(&compile("static", plain, &["-static"]));
    assert_eq!(status, Some(1));
    assert!(said.contains("statically linked"), "{said}");
    let setuid = compile("setuid", plain, &["-Wl,-rpath,/opt/somewhere"]);
    std::fs::set_permissions(&setuid, std::fs::Permissions::from_mode(0o4755)).unwrap();
    let (status, said) = doctor(&setuid);
    assert_eq!(status, Some(1));
    assert!(said.contains("setuid") && said.contains("/opt/somewhere"), "{said}");
    let (status, said) = doctor("/nowhere/at/all");
    assert_eq!(status, Some(125));
    assert!(said.contains("/nowhere/at/all"));
}

#[test]
fn no_driver() {
    let done = echo_dr()
        .args(["doctor", "/bin/sh"])
        .env("LD_LIBRARY_PATH", "/nonexistent")
        .output()
        .unwrap();
    let said = text(&done.stdout);
    // On a machine with a real driver the line names it instead.
    assert!(said.contains("no CUDA driver") || said.contains("ok   driver"), "{said}");
}
