//! From the IR of device code to the IR of a device image: entry thunks for kernels, sizes of variables, one buffer for
//! dynamic shared memory, and `printf` under the emulator's name.
//!
//! A launch passes an array of pointers to arguments; a kernel wants the C ABI. The thunk of a kernel loads each
//! argument from the array as the ABI passes it. Which parameter of the source an IR parameter belongs to comes from
//! the debug information, because the ABI drops empty classes and splits others.

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
    let mut out = String::with_capacity(ir.len() + ir.len() / 4);
    let mut thunks = String::new();
    let mut variables = variables::Variables::default();
    for line in ir.lines() {
        if let Some(replaced) = variables.replace(line, &managed) {
            out.push_str(&replaced);
            out.push('\n');
            continue;
        }
        if line.starts_with("define ")
            && let Some(thunk) = thunk::of(line, &debug)
        {
            thunks.push_str(&thunk);
        }
        if line.contains("printf(") {
            out.push_str(
                &line
                    .replace("@printf(", "@echo_device_printf(")
                    .replace("@vprintf(", "@echo_device_vprintf("),
            );
        } else {
            out.push_str(line);
        }
        out.push('\n');
    }
    out.push_str(&thunks);
    out.push_str(&variables.tables());
    out
}
