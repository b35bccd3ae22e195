//! The documents say the truth about the repository: paths named in them exist, and the README fits two screens.

use std::fs;
use std::path::Path;
use std::process::Command;

const DOCUMENTS: [&str; 5] =
    ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "docs/guide.md", "corpus/README.md"];

/// Endings by which a word in backticks is taken for a path.
const ENDINGS: [&str; 9] =
    [".rs", ".md", ".toml", ".cu", ".cuh", ".json", ".patch", ".stderr", "/"];

/// Paths that a user of the tool has, not this repository.
const OF_THE_USER: [&str; 5] = ["src/", "echo.toml", "compile_commands.json", "a.cu", "target/"];

#[test]
fn paths_in_documents_exist() {
    let mut missing = Vec::new();
    for document in DOCUMENTS {
        let text = fs::read_to_string(document).unwrap_or_else(|why| panic!("{document}: {why}"));
        let folder = Path::new(document).parent().expect("a folder");
        for path in paths(&text) {
            let known = OF_THE_USER.contains(&path)
                || Path::new(path).exists()
                || folder.join(path).exists();
            if !known {
                missing.push(format!("{document}: {path}"));
            }
        }
    }
    assert!(missing.is_empty(), "these do not exist:\n{}", missing.join("\n"));
}

#[test]
fn the_paths_are_found() {
    let text = "See `corpus/README.md`, [the guide](docs/guide.md), `cudaMalloc`, <https://a.b/c/>, `corpus/<name>.cu`.";
    assert_eq!(paths(text), ["corpus/README.md", "docs/guide.md"]);
}

#[test]
fn the_examples_of_the_guide_are_understood() {
    let guide = fs::read_to_string("docs/guide.md").expect("the guide");
    let examples: Vec<&str> =
        guide.split("```toml\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    let folder = tempfile::tempdir().expect("a folder");
    let models = examples.iter().find(|text| text.contains("[[fn]]")).expect("a model");
    let path = folder.path().join("effects.toml");
    fs::write(&path, models).expect("written");
    let loaded = echo_frontend::effects::load(&[path]).expect("the model is understood");
    assert!(loaded.get("smooth").is_some());
    let settings = examples.iter().find(|text| text.contains("effect-models")).expect("settings");
    fs::write(folder.path().join("echo.toml"), settings).expect("written");
    fs::write(folder.path().join("a.cu"), "int main() { return 0; }\n").expect("written");
    let run = Command::new(env!("CARGO_BIN_EXE_echo-fix"))
        .arg("a.cu")
        .current_dir(folder.path())
        .output()
        .expect("it starts");
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
}

#[test]
fn the_readme_fits_two_screens() {
    let lines = fs::read_to_string("README.md").expect("README.md").lines().count();
    assert!(lines <= 100, "{lines} lines");
}

/// What looks like a path of this repository: in backticks, or the target of a link.
fn paths(text: &str) -> Vec<&str> {
    let quoted = text.split('`').skip(1).step_by(2);
    let linked = text.split("](").skip(1).filter_map(|rest| rest.split([')', '#']).next());
    let mut found: Vec<&str> = quoted.chain(linked).collect();
    found.retain(|word| {
        let plain =
            !word.contains(['<', '*', ' ', '$', '\n']) && !word.contains("://") && !word.is_empty();
        plain && ENDINGS.iter().any(|ending| word.ends_with(ending))
    });
    found
}
