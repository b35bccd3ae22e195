//! Inline PTX that is one instruction with an obvious meaning.

/// The assembly as the IR has it, what it gives, and the runtime's function that does the same
/// (`libcuda/src/launch.rs`).
const KNOWN: [(&str, &str, &str); 9] = [
    ("trap;", "void", "echo_trap"),
    ("mov.u32 $0, %laneid;", "i32", "echo_lane_id"),
    ("mov.u32 $0, %warpid;", "i32", "echo_warp_id"),
    ("mov.u32 $0, %smid;", "i32", "echo_multiprocessor_id"),
    ("mov.u32 $0, %lanemask_eq;", "i32", "echo_lane_mask_equal"),
    ("mov.u32 $0, %lanemask_lt;", "i32", "echo_lane_mask_less"),
    ("mov.u32 $0, %lanemask_le;", "i32", "echo_lane_mask_less_equal"),
    ("mov.u32 $0, %lanemask_gt;", "i32", "echo_lane_mask_greater"),
    ("mov.u32 $0, %lanemask_ge;", "i32", "echo_lane_mask_greater_equal"),
];

/// The line with a call in place of the assembly in it; None if it has none that is known.
pub(crate) fn replace(line: &str) -> Option<String> {
    let start = line.find(" asm ")? + 1;
    let template = &line[start..][line[start..].find('"')? + 1..];
    let template_end = template.find('"')?;
    let (_, _, function) =
        KNOWN.iter().find(|(text, ..)| *text == template[..template_end].trim())?;
    let constraints = &template[template_end + 1..];
    let constraints = &constraints[constraints.find('"')? + 1..];
    let rest = &constraints[constraints.find('"')? + 1..];
    rest.starts_with("()").then(|| format!("{}@{function}{rest}", &line[..start]))
}

/// Declarations of all functions that `replace` may call.
pub(crate) fn declarations() -> String {
    KNOWN.iter().map(|(_, result, name)| format!("declare {result} @{name}()\n")).collect()
}

#[cfg(test)]
mod tests {
    use super::replace;

    #[test]
    fn known_instructions_become_calls() {
        let line = r#"  tail call void asm sideeffect "trap;", "~{dirflag},~{fpsr}"() #5, !dbg !7"#;
        assert_eq!(replace(line).as_deref(), Some("  tail call void @echo_trap() #5, !dbg !7"));
        let line = r#"  %1 = tail call i32 asm "mov.u32 $0, %laneid;", "=r,~{flags}"() #6"#;
        assert_eq!(replace(line).as_deref(), Some("  %1 = tail call i32 @echo_lane_id() #6"));
    }

    #[test]
    fn others_stay() {
        assert_eq!(replace(r#"  call void asm sideeffect "", "~{memory}"()"#), None);
        assert_eq!(replace(r#"  %1 = call i32 asm "trap;", "=r,r"(i32 %0)"#), None);
        assert_eq!(replace("  store i32 1, ptr %asm"), None);
    }
}
