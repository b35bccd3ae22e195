//! The text of one program.

mod buffers;
mod calls;
mod given;
mod host;
mod special;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use crate::prelude::{ALLOCATORS, BLOCK, BUFFERS, COPIERS, OWNER};
use crate::program::{Check, DeviceKind, HostKind, Names, Program, Side, Stage, Statement, Wait};
use crate::source::Layout;
use crate::uses::sides;

/// The pieces of a program.
#[derive(Debug, Clone, Default)]
pub(crate) struct Printed {
    /// Its types, variables and functions of its own.
    pub(crate) types: String,
    /// Declarations of its stages.
    pub(crate) prototypes: String,
    /// Its stages.
    pub(crate) stages: String,
    /// Itself.
    pub(crate) function: String,
}

/// Prints program number `index`.
pub(crate) fn program(program: &Program, index: usize, layout: Layout) -> Printed {
    let mut printer = Printer::new(program, index, layout);
    printer.function();
    Printed {
        types: printer.types(),
        prototypes: printer.prototypes,
        stages: printer.stages,
        function: printer.text,
    }
}

/// Where a block may be left early.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Exit {
    Nowhere,
    Return,
    Continue,
}

/// A pointer by the name that a part of the body has for it.
#[derive(Debug, Clone)]
struct Given {
    /// Itself.
    pointer: String,
    /// Its element `i`.
    element: String,
}

struct Printer<'a> {
    program: &'a Program,
    layout: Layout,
    /// `p7_`, before the names of what belongs to the program.
    prefix: String,
    ty: &'static str,
    letter: &'static str,
    cleanup: bool,
    text: String,
    stages: String,
    prototypes: String,
    indent: usize,
    count: usize,
    /// The object that holds a device side, by pair.
    objects: Vec<String>,
    /// Types of the parts of the body.
    own: String,
    /// The sides that the part at hand got, by the names it has for them.
    given: BTreeMap<Side, Given>,
}

impl<'a> Printer<'a> {
    fn new(program: &'a Program, index: usize, layout: Layout) -> Self {
        let (ty, letter) = if program.style.int { ("int", "i") } else { ("float", "f") };
        let objects = program.pairs.iter().any(|pair| pair.device == DeviceKind::Object);
        let style = &program.style;
        Self {
            program,
            layout,
            prefix: format!("p{index}_"),
            ty,
            letter,
            // A jump must not pass a declaration with a value.
            cleanup: style.cleanup && !style.rounds && style.names != Names::Late && !objects,
            text: String::new(),
            stages: String::new(),
            prototypes: String::new(),
            indent: 1,
            count: 0,
            objects: vec![String::new(); program.pairs.len()],
            own: String::new(),
            given: BTreeMap::new(),
        }
    }

    // The program's own types, variables and functions.
    fn types(&self) -> String {
        let style = &self.program.style;
        let mut text = String::new();
        match style.names {
            Names::Fields => text.push_str(BUFFERS),
            Names::Object => text.push_str(OWNER),
            Names::Globals => {
                for pair in 0..self.program.pairs.len() {
                    let (host, device) =
                        (self.name(Side::Host(pair)), self.name(Side::Device(pair)));
                    let star = format!("static {}* ", self.ty);
                    if self.program.pairs[pair].host != HostKind::Vector {
                        let _ = writeln!(text, "{star}{host};");
                    }
                    let _ = writeln!(text, "{star}{device};");
                }
            }
            Names::Locals | Names::Late | Names::Arrays => {}
        }
        if self.program.pairs.iter().any(|pair| pair.device == DeviceKind::Object) {
            text.push_str(BLOCK);
        }
        if style.helpers {
            text.push_str(COPIERS);
        }
        if style.allocators {
            text.push_str(ALLOCATORS);
        }
        text.push_str(&self.own);
        text.replace("@p", &self.prefix).replace("@T", self.ty)
    }

    fn function(&mut self) {
        let number = self.prefix.trim_end_matches('_').to_owned();
        match self.layout {
            Layout::Mains => self.text.push_str("\nint main() {\n"),
            Layout::One | Layout::Two => {
                let _ = writeln!(self.text, "\nunsigned long {number}() {{");
                // Whoever calls it may have left work behind.
                self.line("cudaDeviceSynchronize();");
            }
        }
        let elements = self.program.elements;
        self.line(&if self.program.style.counted {
            format!("const int n = count_of(\"{elements}\");")
        } else {
            format!("const int n = {elements};")
        });
        self.line(&format!("const size_t bytes = n * sizeof({});", self.ty));
        self.line("unsigned long sum = 17;");
        for (stream, how) in self.program.streams.iter().enumerate() {
            let name = stream + 1;
            self.line(&format!("cudaStream_t s{name};"));
            let flags =
                if how.non_blocking { "cudaStreamNonBlocking" } else { "cudaStreamDefault" };
            self.line(&match (how.priority, how.non_blocking) {
                (true, _) => format!("cudaStreamCreateWithPriority(&s{name}, {flags}, 0);"),
                (false, true) => format!("cudaStreamCreateWithFlags(&s{name}, {flags});"),
                (false, false) => format!("cudaStreamCreate(&s{name});"),
            });
        }
        self.line("cudaEvent_t event;");
        self.line("cudaEventCreate(&event);");
        if self.program.style.rounds {
            self.line("for (int round = 0; round < 2; round++) {");
            self.indent += 1;
        }
        self.declare_buffers();
        let body = self.program.body.clone();
        self.block(&body, Exit::Nowhere);
        if self.program.style.rounds {
            self.indent -= 1;
            self.line("}");
        }
        if self.cleanup {
            self.text.push_str("done:\n");
            self.free_all();
        }
        for stream in 0..self.program.streams.len() {
            self.line(&format!("cudaStreamDestroy(s{});", stream + 1));
        }
        self.leave();
        self.text.push_str("}\n");
    }

    fn leave(&mut self) {
        if self.layout == Layout::Mains {
            self.line("printf(\"%lu\\n\", sum);");
            self.line("return 0;");
        } else {
            self.line("return sum;");
        }
    }

    fn line(&mut self, text: &str) {
        let _ = writeln!(self.text, "{}{text}", "  ".repeat(self.indent));
    }

    fn call(&mut self, text: &str) {
        match self.program.style.check {
            Check::None => self.line(&format!("{text};")),
            Check::Macro => self.line(&format!("CHECK({text});")),
            Check::Function => self.line(&format!("check({text}, __LINE__);")),
            Check::Branch => {
                self.line(&format!("if ({text} != cudaSuccess) {{"));
                self.line("  fprintf(stderr, \"failed\\n\");");
                self.line("  exit(3);");
                self.line("}");
            }
        }
    }

    fn block(&mut self, body: &[Statement], exit: Exit) {
        for (at, statement) in body.iter().enumerate() {
            self.count += 1;
            // What a last branch without its first half does, an early exit does too.
            if let (Statement::Branch(one, rest), true) = (statement, at + 1 == body.len())
                && one.is_empty()
                && exit != Exit::Nowhere
            {
                let word = if exit == Exit::Return { "return" } else { "continue" };
                self.line(&format!("if (sum % 2 == 0) {word};"));
                self.block(rest, exit);
                return;
            }
            self.statement(statement);
        }
    }

    fn nested(&mut self, body: &[Statement], exit: Exit) {
        self.indent += 1;
        self.block(body, exit);
        self.indent -= 1;
    }

    fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Allocate(side) => self.allocate(*side),
            Statement::Free(side) => self.free(*side),
            Statement::Host { pair, work, part, reach } => self.host(*pair, *work, *part, *reach),
            Statement::HostCopy(to, from) => {
                let (to_name, from_name) =
                    (self.name(Side::Host(*to)), self.name(Side::Host(*from)));
                let bytes = self.bytes_between(*to, *from);
                self.line(&format!("memcpy({to_name}, {from_name}, {bytes});"));
            }
            Statement::Copy { to, from, part, stream, call } => {
                self.copy(*to, *from, *part, *stream, *call);
            }
            Statement::Launch(kernel, stream) => self.launch(*kernel, *stream),
            Statement::Memset(pair, stream) => self.memset(*pair, *stream),
            Statement::Wait(Wait::Device) => self.call("cudaDeviceSynchronize()"),
            Statement::Wait(Wait::Stream(stream)) => {
                self.call(&format!("cudaStreamSynchronize({})", stream_name(*stream)));
            }
            Statement::Wait(Wait::Event(stream)) => {
                self.call(&format!("cudaEventRecord(event, {})", stream_name(*stream)));
                self.call("cudaEventSynchronize(event)");
            }
            Statement::StreamWait(waiter, on) => {
                self.call(&format!("cudaEventRecord(event, {})", stream_name(*on)));
                self.call(&format!("cudaStreamWaitEvent({}, event, 0)", stream_name(*waiter)));
            }
            Statement::Loop(times, body) => self.repeat(*times, body),
            Statement::Branch(one, other) => self.branch(one, other),
            Statement::Stage(stage, body) => self.stage(*stage, statement, body),
            Statement::Compare(pair) => {
                let (host, device) = (self.name(Side::Host(*pair)), self.name(Side::Device(*pair)));
                self.line(&format!("if ({host} == {device}) sum += 1000;"));
            }
            Statement::Special(special, pair, stream) => self.special(*special, *pair, *stream),
            Statement::Return if self.cleanup => self.line("if (sum % 5 == 0) goto done;"),
            Statement::Return => {
                self.line("if (sum % 5 == 0) {");
                self.indent += 1;
                self.leave();
                self.indent -= 1;
                self.line("}");
            }
        }
    }

    fn repeat(&mut self, times: u32, body: &[Statement]) {
        let k = format!("k{}", self.count);
        let form = if self.program.style.flow { self.count % 4 } else { 0 };
        if form == 0 {
            self.line(&format!("for (int {k} = 0; {k} < {times}; {k}++) {{"));
            self.nested(body, Exit::Continue);
            self.line("}");
            return;
        }
        self.line("{");
        self.indent += 1;
        self.line(&format!("int {k} = 0;"));
        let again = format!("again{}", self.count);
        match form {
            1 => self.line(&format!("while ({k} < {times}) {{")),
            2 => self.line("do {"),
            _ => {
                self.line(&format!("{again}:"));
                self.line("{");
            }
        }
        self.nested(body, Exit::Nowhere);
        match form {
            1 => {
                self.line(&format!("  {k} += 1;"));
                self.line("}");
            }
            2 => self.line(&format!("}} while (++{k} < {times});")),
            _ => {
                self.line("}");
                self.line(&format!("if (++{k} < {times}) goto {again};"));
            }
        }
        self.indent -= 1;
        self.line("}");
    }

    fn branch(&mut self, one: &[Statement], other: &[Statement]) {
        let switch = self.program.style.flow && self.count.is_multiple_of(2);
        if switch {
            self.line("switch (sum % 2) {");
            self.line("case 0: {");
            self.nested(one, Exit::Nowhere);
            self.line("} break;");
            self.line("default: {");
            self.nested(other, Exit::Nowhere);
            self.line("}");
            self.line("}");
            return;
        }
        self.line("if (sum % 2 == 0) {");
        self.nested(one, Exit::Nowhere);
        if !other.is_empty() {
            self.line("} else {");
            self.nested(other, Exit::Nowhere);
        }
        self.line("}");
    }

    fn stage(&mut self, stage: Stage, statement: &Statement, body: &[Statement]) {
        match stage {
            Stage::Block => {
                self.line("{");
                self.nested(body, Exit::Nowhere);
                self.line("}");
            }
            Stage::Lambda => {
                let name = format!("stage{}", self.count);
                self.line("{");
                self.indent += 1;
                self.line(&format!("auto {name} = [&]() {{"));
                self.nested(body, Exit::Return);
                self.line("};");
                self.line(&format!("{name}();"));
                self.indent -= 1;
                self.line("}");
            }
            Stage::With(form) => self.with(form, statement, body),
            Stage::Function | Stage::Template => {
                let used = used(statement);
                let template = stage == Stage::Template;
                let ty = self.ty;
                if template {
                    self.ty = "E";
                }
                let (parameters, arguments) = self.passed(&used);
                let name = format!("{}stage{}", self.prefix, self.count);
                let head = if template { "template <class E>\n" } else { "" };
                let body = self.apart(body);
                let signature = format!("void {name}({parameters})");
                self.ty = ty;
                self.outside(head, &signature, &signature, &body);
                let explicit = if template { format!("<{}>", self.ty) } else { String::new() };
                self.line(&format!("{name}{explicit}({arguments});"));
            }
        }
    }

    // The text of a block that stands elsewhere.
    fn apart(&mut self, body: &[Statement]) -> String {
        let indent = std::mem::replace(&mut self.indent, 0);
        let text = std::mem::take(&mut self.text);
        self.nested(body, Exit::Return);
        self.indent = indent;
        std::mem::replace(&mut self.text, text)
    }

    // A function of its own, a template if there is a `head`; `declared` if there is a declaration before.
    fn outside(&mut self, head: &str, declared: &str, defined: &str, body: &str) {
        let two = self.layout == Layout::Two;
        let template = !head.is_empty();
        let linkage = if two || template { "" } else { "static " };
        let signature = if two && !template { defined } else { declared };
        let printed = format!("\n{head}{linkage}{signature} {{\n{body}}}\n");
        if two && !template {
            let _ = writeln!(self.prototypes, "{declared};");
            self.stages.push_str(&printed);
        } else if two {
            // A template must be seen where it is used.
            self.prototypes.push_str(&printed);
        } else {
            self.stages.push_str(&printed);
        }
    }
}

fn used(statement: &Statement) -> BTreeSet<Side> {
    sides(statement).into_iter().map(|(side, _)| side).collect()
}

fn stream_name(stream: usize) -> String {
    if stream == 0 { "0".to_owned() } else { format!("s{stream}") }
}
