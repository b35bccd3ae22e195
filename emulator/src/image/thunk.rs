//! The thunk of one kernel.

use std::collections::HashSet;
use std::fmt::Write as _;

use super::debug::{Debug, Parameter};
use super::text::{bracketed, leading_name, leading_type, size_of, split_commas};

/// Thunk and argument sizes for the function that `line` defines; None if it cannot be a kernel or has a parameter that
/// is not understood. If `waiting` is given and it is not among them, also a function that calls
/// it for every thread of a block.
pub(crate) fn of(line: &str, debug: &Debug<'_>, waiting: Option<&HashSet<&str>>) -> Option<String> {
    let at = line.find('@')?;
    let head = &line[..at];
    let local = head.split_whitespace().any(|word| matches!(word, "internal" | "private"));
    if local || !head.trim_end().ends_with("void") {
        return None;
    }
    let (name, rest) = leading_name(&line[at..])?;
    let (list, rest) = bracketed(rest)?;
    let scope = rest.find("!dbg ").map(|at| &rest[at + 5..]);
    let scope = scope.and_then(|text| text.split([' ', '{']).next());
    let known = scope.and_then(|scope| debug.parameters(scope));
    let mut thunk = Thunk { sizes: Vec::new(), body: String::new(), call: Vec::new() };
    let mut taken = Taken::default();
    for (index, text) in split_commas(list).into_iter().enumerate() {
        if text == "..." {
            return None;
        }
        let source = match known {
            Some(known) => position(text, known, &mut taken)?,
            None => Source { position: index, class_bytes: None, part: 0 },
        };
        let class_bytes = known
            .and_then(|known| known.iter().find(|one| one.position == source.position + 1))
            .and_then(|parameter| debug.class_bytes(parameter));
        thunk.add(index, text, &Source { class_bytes, ..source })?;
    }
    if let Some(last) = known.and_then(<[_]>::last) {
        let count = thunk.sizes.len().max(last.position);
        thunk.sizes.resize(count, None);
    }
    let mut text = thunk.text(name);
    if waiting.is_some_and(|waiting| !waiting.contains(name)) {
        text.push_str(&thunk.block_text(name));
    }
    Some(text)
}

struct Source {
    /// Position in the argument array, from 0.
    position: usize,
    class_bytes: Option<u64>,
    /// Offset in bytes of this part of it.
    part: usize,
}

/// How far the IR's parameters have been matched with the source's.
#[derive(Default)]
struct Taken {
    count: usize,
    /// Whether the last one was the first of two parts.
    halved: bool,
}

// Which of the `known` parameters an IR parameter is. Its name is the source's, with a suffix where the ABI passes it in
// another shape, and a number where a pack gives several the same name.
fn position(text: &str, known: &[Parameter<'_>], taken: &mut Taken) -> Option<Source> {
    let name = text.rsplit(' ').next()?;
    let (name, _) = leading_name(name)?;
    let (name, shape) = name.split_once(".coerce").unwrap_or((name, ""));
    let second = taken.halved && shape.starts_with('1');
    taken.halved = shape.starts_with('0');
    if second {
        let position = known.get(taken.count.checked_sub(1)?)?.position - 1;
        return Some(Source { position, class_bytes: None, part: 8 });
    }
    let left = known.get(taken.count..)?;
    let named = |name: &str| left.iter().position(|one| one.name == name);
    let pack = name.trim_end_matches(|end: char| end.is_ascii_digit());
    let index = taken.count + named(name).or_else(|| named(pack))?;
    taken.count = index + 1;
    Some(Source { position: known[index].position - 1, class_bytes: None, part: 0 })
}

struct Thunk {
    /// Bytes of each argument as constants; None: an empty class, of which nothing is passed.
    sizes: Vec<Option<String>>,
    body: String,
    call: Vec<String>,
}

impl Thunk {
    fn add(&mut self, index: usize, text: &str, source: &Source) -> Option<()> {
        let (ty, attributes) = leading_type(text)?;
        let position = source.position;
        if self.sizes.len() <= position {
            self.sizes.resize(position + 1, None);
        }
        let _ = writeln!(
            self.body,
            "  %a{index} = getelementptr ptr, ptr %args, i64 {position}\n  %p{index} = load ptr, ptr %a{index}"
        );
        if let Some(at) = attributes.find("byval(") {
            let (inner, rest) = bracketed(&attributes[at + 5..])?;
            let align = rest.trim_start().strip_prefix("align ");
            let align: String = align
                .map(|text| text.chars().take_while(char::is_ascii_digit).collect())
                .filter(|digits: &String| !digits.is_empty())
                .map_or_else(String::new, |digits| format!(" align {digits}"));
            self.sizes[position] = Some(size_of(inner, "i32"));
            self.call.push(format!("ptr byval({inner}){align} %p{index}"));
            return Some(());
        }
        if ty == "ptr"
            && let Some(bytes) = source.class_bytes
            && attributes.contains("dead_on_return")
        {
            // Passed by reference because copying it is not trivial; the copy of the launch is the object.
            self.sizes[position] = Some(bytes.to_string());
            self.call.push(format!("ptr %p{index}"));
            return Some(());
        }
        if !is_scalar(ty) {
            return None;
        }
        let loaded = if ty == "i1" { "i8" } else { ty };
        let part = source.part;
        let _ = writeln!(
            self.body,
            "  %r{index} = getelementptr i8, ptr %p{index}, i64 {part}\n  %v{index} = load {loaded}, ptr %r{index}, align 1"
        );
        let mut value = format!("%v{index}");
        if ty == "i1" {
            let _ = writeln!(self.body, "  %t{index} = trunc i8 %v{index} to i1");
            value = format!("%t{index}");
        }
        let extension = ["zeroext", "signext"]
            .into_iter()
            .find(|word| attributes.split(' ').any(|attribute| attribute == *word));
        let extension = extension.map_or_else(String::new, |word| format!("{word} "));
        self.call.push(format!("{ty} {extension}{value}"));
        let bytes = size_of(loaded, "i32");
        self.sizes[position] = Some(match (part, source.class_bytes) {
            // A class in registers: its own size, without the padding of the last register.
            (_, Some(bytes)) => bytes.to_string(),
            (0, None) => bytes,
            (part, None) => format!("add (i32 {part}, i32 {bytes})"),
        });
        Some(())
    }

    fn text(&self, name: &str) -> String {
        let count = self.sizes.len();
        let sizes: Vec<String> = std::iter::once(format!("i32 {count}"))
            .chain(self.sizes.iter().map(|size| format!("i32 {}", size.as_deref().unwrap_or("0"))))
            .collect();
        format!(
            "@\"__echo_argsz_{name}\" = constant [{} x i32] [{}]\ndefine void @\"__echo_thunk_{name}\"(ptr %args) {{\n\
             {}  call void @\"{name}\"({})\n  ret void\n}}\n",
            count + 1,
            sizes.join(", "),
            self.body,
            self.call.join(", "),
        )
    }

    // Arguments are loaded once: each thread gets the values of the launch.
    fn block_text(&self, name: &str) -> String {
        format!(
            "define void @\"__echo_block_{name}\"(ptr %args, i32 %nx, i32 %ny, i32 %nz) {{
entry:
{}  br label %slice
slice:
  %z = phi i32 [ 0, %entry ], [ %z.next, %row.end ]
  store i32 %z, ptr getelementptr (i8, ptr @threadIdx, i64 8)
  br label %row
row:
  %y = phi i32 [ 0, %slice ], [ %y.next, %thread.end ]
  store i32 %y, ptr getelementptr (i8, ptr @threadIdx, i64 4)
  br label %thread
thread:
  %x = phi i32 [ 0, %row ], [ %x.next, %thread ]
  store i32 %x, ptr @threadIdx
  call void @\"{name}\"({})
  %x.next = add nuw i32 %x, 1
  %x.more = icmp ult i32 %x.next, %nx
  br i1 %x.more, label %thread, label %thread.end
thread.end:
  %y.next = add nuw i32 %y, 1
  %y.more = icmp ult i32 %y.next, %ny
  br i1 %y.more, label %row, label %row.end
row.end:
  %z.next = add nuw i32 %z, 1
  %z.more = icmp ult i32 %z.next, %nz
  br i1 %z.more, label %slice, label %end
end:
  ret void
}}
",
            self.body,
            self.call.join(", "),
        )
    }
}

fn is_scalar(ty: &str) -> bool {
    let integer = ty.strip_prefix('i').is_some_and(|bits| bits.bytes().all(|b| b.is_ascii_digit()));
    integer
        || ty.starts_with('<')
        || matches!(ty, "ptr" | "float" | "double" | "half" | "bfloat" | "x86_fp80" | "fp128")
}
