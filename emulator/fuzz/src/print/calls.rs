//! Copies, fills and launches.

use super::{Printer, stream_name};
use crate::form::KernelForm;
use crate::program::{CopyCall, Kernel, Names, Part, Side};

impl Printer<'_> {
    pub(super) fn memset(&mut self, pair: usize, stream: Option<usize>) {
        let (name, bytes) = (self.name(Side::Device(pair)), self.bytes(pair));
        let value = self.count % 2;
        match stream {
            None => self.call(&format!("cudaMemset({name}, {value}, {bytes})")),
            Some(stream) => self.call(&format!(
                "cudaMemsetAsync({name}, {value}, {bytes}, {})",
                stream_name(stream)
            )),
        }
    }

    pub(super) fn copy(
        &mut self,
        to: Side,
        from: Side,
        part: Part,
        stream: Option<usize>,
        call: CopyCall,
    ) {
        let (mut to_name, mut from_name) = (self.name(to), self.name(from));
        let (Side::Host(to_pair) | Side::Device(to_pair)) = to;
        let (Side::Host(from_pair) | Side::Device(from_pair)) = from;
        let ty = self.ty;
        let bytes = match part {
            Part::Whole | Part::Stripe => self.bytes_between(to_pair, from_pair),
            Part::Lower => format!("n / 2 * sizeof({ty})"),
            Part::Upper => {
                to_name += " + n / 2";
                from_name += " + n / 2";
                format!("(n - n / 2) * sizeof({ty})")
            }
            Part::Shift => {
                to_name += " + n / 2";
                format!("n / 2 * sizeof({ty})")
            }
        };
        if stream.is_none()
            && call == CopyCall::Flat
            && self.copy_in_function(to, from, part, &bytes)
        {
            return;
        }
        let kind = match (to, from) {
            _ if call == CopyCall::Default => "cudaMemcpyDefault",
            (Side::Device(_), Side::Host(_)) => "cudaMemcpyHostToDevice",
            (Side::Host(_), Side::Device(_)) => "cudaMemcpyDeviceToHost",
            (Side::Device(_), Side::Device(_)) => "cudaMemcpyDeviceToDevice",
            (Side::Host(_), Side::Host(_)) => "cudaMemcpyHostToHost",
        };
        let asynchronous = if stream.is_some() { "Async" } else { "" };
        let last = stream.map(|stream| format!(", {}", stream_name(stream))).unwrap_or_default();
        if call == CopyCall::Rows || part == Part::Stripe {
            // The buffer as two rows.
            let pitch = format!("n / 2 * sizeof({ty})");
            let (width, rows) = match part {
                Part::Whole => (pitch.clone(), 2),
                Part::Stripe => (format!("n / 4 * sizeof({ty})"), 2),
                Part::Lower | Part::Upper | Part::Shift => (pitch.clone(), 1),
            };
            self.call(&format!(
                "cudaMemcpy2D{asynchronous}({to_name}, {pitch}, {from_name}, {pitch}, {width}, {rows}, {kind}{last})"
            ));
        } else {
            self.call(&format!(
                "cudaMemcpy{asynchronous}({to_name}, {from_name}, {bytes}, {kind}{last})"
            ));
        }
    }

    // Prints a copy as a call of a function or method of the program, if it has one for it.
    fn copy_in_function(&mut self, to: Side, from: Side, part: Part, bytes: &str) -> bool {
        let (helper, host, device) = match (to, from) {
            (Side::Device(device), Side::Host(host)) => ("upload", host, device),
            (Side::Host(host), Side::Device(device)) => ("download", host, device),
            (Side::Host(_), Side::Host(_)) | (Side::Device(_), Side::Device(_)) => return false,
        };
        let own = !self.is_vector(Side::Host(host)) && !self.given.contains_key(&Side::Host(host));
        let method = self.program.style.names == Names::Object && part == Part::Whole;
        if method && host == device && own {
            self.line(&format!("b{host}.{helper}({bytes});"));
            return true;
        }
        if !self.program.style.helpers {
            return false;
        }
        let (mut to_name, mut from_name) = (self.name(to), self.name(from));
        match part {
            Part::Whole | Part::Lower => {}
            Part::Upper => {
                to_name += " + n / 2";
                from_name += " + n / 2";
            }
            Part::Shift => to_name += " + n / 2",
            Part::Stripe => return false,
        }
        let prefix = &self.prefix;
        self.line(&format!("{prefix}{helper}({to_name}, {from_name}, {bytes});"));
        true
    }

    pub(super) fn launch(&mut self, kernel: Kernel, stream: usize) {
        let (letter, ty, k) = (self.letter, self.ty, self.count % 7);
        let device = |pair: usize| self.name(Side::Device(pair));
        let (name, arguments) = match kernel {
            Kernel::Update(d) => ("update", format!("{}, n", device(d))),
            Kernel::Ramp(d) => ("ramp", format!("{}, n, {k}", device(d))),
            Kernel::Map(to, from) => ("map", format!("{}, {}, n", device(to), device(from))),
            Kernel::Add(to, from) => ("add", format!("{}, {}, n", device(to), device(from))),
            Kernel::Half(d) => ("half", format!("{}, n", device(d))),
            Kernel::Touch(d) => ("touch", format!("{}, n", device(d))),
            Kernel::Clamp(d) => ("clamp", format!("{}, n", device(d))),
            Kernel::View(d) => ("view", format!("View_{letter}{{{}, n}}", device(d))),
            Kernel::Tail(d) => ("update", format!("{} + n / 2, n - n / 2", device(d))),
            Kernel::Functor(d) => ("apply", format!("{}, n, Shrink_{letter}{{{k}}}", device(d))),
            Kernel::Lambda(d) => (
                "apply",
                format!(
                    "{}, n, [=] __device__({ty} x) {{ return ({ty})(x / 2 + {k}); }}",
                    device(d)
                ),
            ),
            Kernel::Total(to, from) => ("total", format!("{}, {}, n", device(to), device(from))),
            Kernel::Gather(to, from) => ("gather", format!("{}, {}, n", device(to), device(from))),
            Kernel::Form(form, d) => formed(form, &device(d), ty, letter),
        };
        let launcher = match kernel {
            Kernel::Update(_)
            | Kernel::Ramp(_)
            | Kernel::Map(..)
            | Kernel::Add(..)
            | Kernel::Half(_)
            | Kernel::Touch(_)
            | Kernel::Clamp(_)
            | Kernel::Tail(_) => self.program.style.launchers,
            Kernel::View(_)
            | Kernel::Functor(_)
            | Kernel::Lambda(_)
            | Kernel::Total(..)
            | Kernel::Gather(..)
            | Kernel::Form(..) => false,
        };
        if launcher {
            let stream = stream_name(stream);
            self.line(&format!("run_{name}_{letter}({arguments}, {stream});"));
            return;
        }
        let grid = match name {
            "touch" => "1, 1",
            "total" => "1, 32",
            _ => "(n + 31) / 32, 32",
        };
        let grid = match stream {
            0 => grid.to_owned(),
            stream => format!("{grid}, 0, s{stream}"),
        };
        let suffix = if name == "apply" { String::new() } else { format!("_{letter}") };
        self.line(&format!("{name}{suffix}<<<{grid}>>>({arguments});"));
    }
}

// Name and arguments of the kernel with a parameter of that form.
fn formed(form: KernelForm, d: &str, ty: &str, letter: &str) -> (&'static str, String) {
    let plain = format!("{d}, n");
    let rows = format!("({ty} (*)[2]){d}, n");
    match form {
        KernelForm::Open => ("open", plain),
        KernelForm::Sized => ("sized", plain),
        KernelForm::Rows => ("rows", rows),
        KernelForm::RowPointer => ("row_pointer", rows),
        KernelForm::Named => ("named", plain),
        KernelForm::Deduced => ("any", plain),
        KernelForm::Index => ("span", format!("Span_{letter}{{{d}}}, n")),
        KernelForm::Method => ("cells", format!("Cells_{letter}{{{d}, n}}")),
        KernelForm::Inner => ("inner", plain),
        KernelForm::Returned => ("returned", plain),
    }
}

#[cfg(test)]
mod tests {
    use crate::program::{CopyCall, Pair, Part, Program, Side, Slack, Statement, Style};
    use crate::source::{Layout, Source};

    #[test]
    fn a_copy_between_pairs_is_as_large_as_the_smaller() {
        let cut = Pair { slack: Slack::CutHost, ..Pair::PLAIN };
        let copy = |to, from| Statement::Copy {
            to: Side::Device(to),
            from: Side::Device(from),
            part: Part::Whole,
            stream: None,
            call: CopyCall::Flat,
        };
        let program = Program {
            elements: 64,
            pairs: vec![cut, Pair::PLAIN, cut],
            streams: Vec::new(),
            body: vec![copy(0, 1), copy(1, 0), copy(2, 0), Statement::HostCopy(0, 1)],
            style: Style::default(),
        };
        let text = Source::new(&[program], Layout::Mains).text();
        for call in [
            "cudaMemcpy(d0, d1, bytes, cudaMemcpyDeviceToDevice)",
            "cudaMemcpy(d1, d0, bytes, cudaMemcpyDeviceToDevice)",
            "cudaMemcpy(d2, d0, (unsigned short)(n * 1028), cudaMemcpyDeviceToDevice)",
            "memcpy(h0, h1, bytes)",
        ] {
            assert!(text.contains(call), "{call}:\n{text}");
        }
    }
}
