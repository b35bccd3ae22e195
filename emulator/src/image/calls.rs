//! Which functions of a module can make a thread wait for others.

use std::collections::{HashMap, HashSet};

use super::text::leading_name;

/// The runtime's functions in which a thread is suspended (`libcuda/src/block.rs`).
const WAITING: [&str; 4] =
    ["echo_syncthreads", "echo_syncthreads_vote", "echo_grid_sync", "echo_warp"];

/// Names of the defined functions that may wait: they mention one that does, or call through a pointer.
pub(crate) fn may_wait(ir: &str) -> HashSet<&str> {
    let mut mentioned_by: HashMap<&str, Vec<&str>> = HashMap::new();
    let mut left: Vec<&str> = WAITING.to_vec();
    let mut inside = None;
    for line in ir.lines() {
        if line.starts_with("define ") {
            inside = line.find('@').and_then(|at| leading_name(&line[at..])).map(|(name, _)| name);
        } else if line == "}" {
            inside = None;
        } else if let Some(function) = inside {
            for (at, _) in line.match_indices('@') {
                if let Some((name, _)) = leading_name(&line[at..]) {
                    mentioned_by.entry(name).or_default().push(function);
                }
            }
            if calls_through_pointer(line) {
                left.push(function);
            }
        }
    }
    let mut found = HashSet::new();
    while let Some(name) = left.pop() {
        if found.insert(name) {
            left.extend(mentioned_by.get(name).into_iter().flatten());
        }
    }
    found
}

// The callee of a call is what its argument list follows directly: a register in `call void %5(i32 1)`.
fn calls_through_pointer(line: &str) -> bool {
    let called = |at| leading_name(&line[at..]).is_some_and(|(_, rest)| rest.starts_with('('));
    line.match_indices('%').any(|(at, _)| called(at))
}

#[cfg(test)]
mod tests {
    use super::may_wait;

    const IR: &str = r#"
define void @plain(ptr %x) {
  %1 = call float @expf(float 1.0)
  call void @helper(ptr byval(%struct.S) align 8 %x)
}
define void @helper(ptr %x) {
  store i32 1, ptr %x
}
define void @barrier() {
  call void @echo_syncthreads() #4
}
define internal void @"in\C3direct"() {
  tail call void @barrier()
}
define void @pointer(ptr %f) {
  %r = call i32 (ptr, ...) %f(ptr @.str, i32 1)
}
define void @named(ptr %f) {
  store ptr @"in\C3direct", ptr %f
}
"#;

    #[test]
    fn what_mentions_a_barrier_or_calls_a_pointer_may_wait() {
        let found = may_wait(IR);
        for name in ["barrier", "in\\C3direct", "pointer", "named"] {
            assert!(found.contains(name), "{name}");
        }
    }

    #[test]
    fn what_does_neither_does_not_wait() {
        let found = may_wait(IR);
        assert!(!found.contains("plain") && !found.contains("helper"), "{found:?}");
    }
}
