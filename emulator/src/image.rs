//! From the IR of device code to the IR of a device image: entry thunks for kernels, sizes of variables, one buffer for
//! dynamic shared memory, and `printf` and failing assertions under the emulator's names.
//!
//! A launch passes an array of pointers to arguments; a kernel wants the C ABI. The thunk of a kernel loads each
//! argument from the array as the ABI passes it. Which parameter of the source an IR parameter belongs to comes from
//! the debug information, because the ABI drops empty classes and splits others. A kernel in which no thread can wait
//! also gets a loop over the threads of a block.

mod assembly;
mod calls;
mod debug;
mod text;
mod thunk;
mod variables;

use debug::Debug;

/// Rewrites the text of a module. A kernel whose signature is not understood gets no thunk: launching it ends the
/// program with a message.
pub(crate) fn wrap(ir: &str) -> String {
    let debug = Debug::read(ir);
    let managed = variables::managed(ir);
    // A module that names no thread may be loaded where nothing defines the name.
    let waiting = ir.contains("\n@threadIdx = ").then(|| calls::may_wait(ir));
    let mut out = String::with_capacity(ir.len() + ir.len() / 4);
    let mut thunks = String::new();
    let mut assembly = false;
    let mut variables = variables::Variables::default();
    for line in ir.lines() {
        if let Some(replaced) = variables.replace(line, &managed) {
            out.push_str(&replaced);
            out.push('\n');
            continue;
        }
        if line.starts_with("define ")
            && let Some(thunk) = thunk::of(line, &debug, waiting.as_ref())
        {
            thunks.push_str(&thunk);
        }
        if let Some(replaced) = assembly::replace(line) {
            assembly = true;
            out.push_str(&replaced);
        } else if line.contains("printf(") || line.contains("@__assert_fail(") {
            out.push_str(
                &line
                    .replace("@printf(", "@echo_device_printf(")
                    .replace("@vprintf(", "@echo_device_vprintf(")
                    .replace("@__assert_fail(", "@echo_device_assert_fail("),
            );
        } else {
            out.push_str(line);
        }
        out.push('\n');
    }
    if assembly {
        out.push_str(&assembly::declarations());
    }
    out.push_str(&thunks);
    out.push_str(&variables.tables());
    out
}

#[cfg(test)]
mod tests {
    use super::wrap;

    const IR: &str = r#"
@gd = externally_initialized constant [4 x float] zeroinitializer, align 16
@_ZL1s = internal externally_initialized global i32 2, align 4
@m = externally_initialized global i32 5, align 4
@_ZZ1kvE1a = internal unnamed_addr global [32 x i32] undef, align 16
@dyn = external global [0 x i32], align 4
@.str.1 = private unnamed_addr constant [13 x i8] c"echo_managed\00", section "llvm.metadata"
@llvm.global.annotations = appending global [1 x { ptr, ptr, ptr, i32, ptr }] [{ ptr, ptr, ptr, i32, ptr } { ptr @m, ptr @.str.1, ptr @.str.2, i32 3, ptr null }], section "llvm.metadata"
define void @"_Z1gr\C3\B6"(i32 noundef %n, ptr noundef readonly byval(%struct.Big) align 8 captures(none) %b, ptr dead_on_return noundef %nt, <2 x float> %v.coerce0, float %v.coerce1, i1 noundef zeroext %0, ptr %x) local_unnamed_addr #0 !dbg !14 {
  %r = call i32 (ptr, ...) @printf(ptr @.str, i32 1)
define internal void @helper(i32 %n) {
define noundef i32 @not_void(i32 %n) {
!14 = distinct !DISubprogram(name: "k", unit: !2)
!40 = !DILocalVariable(name: "n", arg: 1, scope: !14, file: !7, line: 4, type: !17)
!41 = !DILocalVariable(name: "e", arg: 2, scope: !14, file: !7, line: 4, type: !18)
!42 = !DILocalVariable(name: "b", arg: 3, scope: !14, file: !7, line: 4, type: !19)
!43 = !DILocalVariable(name: "nt", arg: 4, scope: !14, file: !7, line: 4, type: !20)
!44 = !DILocalVariable(name: "v", arg: 5, scope: !14, file: !7, line: 4, type: !21)
!45 = !DILocalVariable(arg: 6, scope: !14, file: !7, line: 4, type: !17)
!46 = !DILocalVariable(name: "x", arg: 7, scope: !14, file: !7, line: 4, type: !17)
!20 = !DIDerivedType(tag: DW_TAG_typedef, name: "C", file: !7, line: 3, baseType: !22)
!21 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "float3", file: !7, line: 1, size: 96, elements: !3)
!22 = distinct !DICompositeType(tag: DW_TAG_class_type, name: "Counted", file: !7, line: 2, size: 32, elements: !3)
"#;

    #[track_caller]
    fn has(text: &str) {
        let wrapped = wrap(IR);
        assert!(wrapped.contains(text), "no `{text}` in\n{wrapped}");
    }

    #[test]
    fn a_thunk_loads_what_the_abi_passes() {
        // Seven parameters of the source, of which the empty second one is not passed.
        has("@\"__echo_argsz__Z1gr\\C3\\B6\" = constant [8 x i32] [i32 7, ");
        has(
            "i32 0, i32 ptrtoint (ptr getelementptr (%struct.Big, ptr null, i32 1) to i32), i32 4, i32 12, ",
        );
        has("%a1 = getelementptr ptr, ptr %args, i64 2");
        has(
            "%a4 = getelementptr ptr, ptr %args, i64 4\n  %p4 = load ptr, ptr %a4\n  %r4 = getelementptr i8, ptr %p4, i64 8",
        );
        has("%a5 = getelementptr ptr, ptr %args, i64 5");
        has(
            "call void @\"_Z1gr\\C3\\B6\"(i32 %v0, ptr byval(%struct.Big) align 8 %p1, ptr %p2, <2 x float> %v3, float %v4, i1 zeroext %t5, ptr %v6)",
        );
    }

    #[test]
    fn a_pack_of_parameters_has_one_name_in_the_source() {
        let ir = r#"define void @k(float noundef %args, i32 noundef %args3, ptr %args1) !dbg !14 {
!40 = !DILocalVariable(name: "args", arg: 1, scope: !14, file: !7, line: 4, type: !17)
!41 = !DILocalVariable(name: "args", arg: 2, scope: !14, file: !7, line: 4, type: !18)
!42 = !DILocalVariable(name: "args", arg: 3, scope: !14, file: !7, line: 4, type: !19)
"#;
        let wrapped = wrap(ir);
        assert!(wrapped.contains("call void @\"k\"(float %v0, i32 %v1, ptr %v2)"), "{wrapped}");
        assert!(wrapped.contains("%a2 = getelementptr ptr, ptr %args, i64 2"), "{wrapped}");
    }

    #[test]
    fn only_functions_that_can_be_kernels_have_thunks() {
        assert_eq!(wrap(IR).matches("define void @\"__echo_thunk_").count(), 1);
    }

    #[test]
    fn variables_can_be_written_found_and_measured() {
        has("@\"gd\" = externally_initialized global [4 x float] zeroinitializer, align 16");
        has("@\"_ZL1s\" = externally_initialized global i32 2, align 4");
        has(
            "@\"__echo_size__ZL1s\" = constant i64 ptrtoint (ptr getelementptr (i32, ptr null, i32 1) to i64)",
        );
        has("@\"__echo_managed_m\" = constant i8 1");
        assert!(!wrap(IR).contains("__echo_managed_gd"));
    }

    #[test]
    fn shared_memory_is_listed_and_printf_renamed() {
        has("@\"dyn\" = internal alias [0 x i32], ptr @__echo_dynamic_shared");
        has(
            "{ptr, i64} {ptr @\"_ZZ1kvE1a\", i64 ptrtoint (ptr getelementptr ([32 x i32], ptr null, i32 1) to i64)}",
        );
        has("@echo_device_printf(ptr @.str, i32 1)");
    }
}
