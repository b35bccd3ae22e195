//! The command line as people see it: `tests/cmd/` holds sessions with what they print (`TRYCMD=overwrite` writes them
//! anew), and the commands in the README and the guide do what is said there.

mod fix_support;

use std::fs;

use fix_support::Tree;

#[test]
fn sessions() {
    trycmd::TestCases::new().case("tests/cmd/*.trycmd");
}

/// Lines of code blocks that start with `echo-fix `, without comments and what a shell would do with the output.
fn commands(document: &str) -> Vec<Vec<String>> {
    let text = fs::read_to_string(document).expect("the document");
    let blocks = text.split("```").skip(1).step_by(2);
    let lines = blocks.flat_map(|block| block.lines()).filter_map(|line| {
        let command = line.strip_prefix("echo-fix ")?;
        let command = command.split(['#', '>']).next().expect("a first part");
        Some(command.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
    });
    lines.collect()
}

#[test]
fn commands_of_the_documents_work() {
    for (document, least) in [("README.md", 4), ("docs/guide.md", 3)] {
        let commands = commands(document);
        assert!(commands.len() >= least, "{document} has only {} commands", commands.len());
        for command in commands {
            let tree = Tree::new();
            tree.mergeable("src/a.cu");
            tree.mergeable("path/to/src/a.cu");
            let arguments: Vec<&str> = command.iter().map(String::as_str).collect();
            let run = tree.echo_fix(&arguments);
            assert_eq!(run.code, Some(0), "{document}: {command:?}: {}", run.err);
            let expected = if command.contains(&"--explain".to_owned()) { "# S" } else { "1 pair" };
            let said = format!("{}{}", run.out, run.err);
            assert!(said.contains(expected), "{document}: {command:?}: {said}");
        }
    }
}

/// The README shows parts of what the demo prints.
#[test]
fn the_readme_quotes_the_demo() {
    let readme = fs::read_to_string("README.md").expect("the README");
    let patch = fs::read_to_string("tests/golden/demo/motion.patch").expect("the golden patch");
    let report = fs::read_to_string("tests/golden/demo/motion.stderr").expect("the golden report");
    let block = |start: &str| {
        let from = readme.find(start).unwrap_or_else(|| panic!("no block {start}")) + start.len();
        readme[from..].split("```").next().expect("a block").lines().filter(|line| {
            let line = line.trim();
            !line.is_empty() && line != "..."
        })
    };
    for line in block("```diff\n") {
        assert!(
            patch.lines().any(|printed| printed.starts_with(line)),
            "the patch has no line {line}"
        );
    }
    // What the block's marker takes of its first line is in the pattern.
    for line in block("```\nwarning[S1]") {
        assert!(report.contains(line), "the report has no line {line}");
    }
}
