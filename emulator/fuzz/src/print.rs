//! The text of programs: one source with shared kernels and functions, and one function per program.

use std::fmt::Write as _;
use std::ops::Range;

use crate::program::{HostKind, HostWork, Kernel, Part, Program, Reach, Side, Statement, Wait};

/// The text of some programs, in pieces: program `i` is a function `pi` that returns a checksum.
#[derive(Debug, Clone)]
pub struct Source {
    /// What original and transformed programs share: headers, macros and kernels.
    pub kernels: String,
    /// Types and functions of the host that all programs may use.
    pub shared: String,
    /// Each program.
    pub programs: Vec<String>,
}

impl Source {
    /// The text of the programs.
    #[must_use]
    pub fn new(programs: &[Program]) -> Self {
        let both = |text: &str| {
            text.replace("@T", "float").replace("@t", "f")
                + &text.replace("@T", "int").replace("@t", "i")
        };
        let print = |(index, program)| Printer::new(program).function(index);
        Self {
            kernels: PRELUDE.to_owned() + &both(KERNELS),
            shared: both(FUNCTIONS),
            programs: programs.iter().enumerate().map(print).collect(),
        }
    }

    /// All of it, without an entry point.
    #[must_use]
    pub fn text(&self) -> String {
        format!("{}{}{}", self.kernels, self.shared, self.programs.concat())
    }

    /// Where [`Self::shared`] stands in the text.
    #[must_use]
    pub fn shared_range(&self) -> Range<usize> {
        self.kernels.len()..self.kernels.len() + self.shared.len()
    }

    /// Where each program stands in the text.
    #[must_use]
    pub fn ranges(&self) -> Vec<Range<usize>> {
        let mut end = self.shared_range().end;
        let mut range = |program: &String| {
            let start = end;
            end += program.len();
            start..end
        };
        self.programs.iter().map(&mut range).collect()
    }
}

/// The end that makes a source of one program complete.
pub const MAIN: &str = "\nint main() {\n  printf(\"%lu\\n\", p0());\n  return 0;\n}\n";

const PRELUDE: &str = "#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#define CHECK(call)                                               \\
  do {                                                            \\
    cudaError_t status = (call);                                  \\
    if (status != cudaSuccess) {                                  \\
      fprintf(stderr, \"CUDA: %s\\n\", cudaGetErrorString(status)); \\
      exit(3);                                                    \\
    }                                                             \\
  } while (0)
";

const KERNELS: &str = "
__global__ void update_@t(@T* v, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) v[i] = v[i] / 2 + i % 17;
}

__global__ void ramp_@t(@T* v, int n, int k) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) v[i] = i % 23 + k;
}

__global__ void map_@t(@T* out, const @T* in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[n - 1 - i] + 3;
}

__global__ void add_@t(@T* out, const @T* in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = out[i] / 2 + in[i];
}

__global__ void half_@t(@T* v, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n / 2) v[i] = 40 + i % 5;
}

__global__ void touch_@t(@T* v, int n) {
  v[n / 3] += 7;
}
";

const FUNCTIONS: &str = "
struct Buffers_@t {
  @T* host;
  @T* device;
};

static unsigned long weigh_@t(const @T* v, int low, int high) {
  unsigned long s = 0;
  for (int i = low; i < high; i++) s = s * 31 + (unsigned long)(long)(v[i] * 4);
  return s;
}

static void fill_@t(@T* v, int low, int high, int k) {
  for (int i = low; i < high; i++) v[i] = (i * 7 + k) % 101;
}

static void bump_@t(@T* v, int low, int high) {
  for (int i = low; i < high; i++) v[i] = v[i] / 2 + 5;
}

static void upload_@t(@T* device, const @T* host, size_t bytes) {
  cudaMemcpy(device, host, bytes, cudaMemcpyHostToDevice);
}

static void download_@t(@T* host, const @T* device, size_t bytes) {
  cudaMemcpy(host, device, bytes, cudaMemcpyDeviceToHost);
}
";

struct Printer<'a> {
    program: &'a Program,
    ty: &'static str,
    letter: &'static str,
    text: String,
    indent: usize,
    count: usize,
}

impl<'a> Printer<'a> {
    fn new(program: &'a Program) -> Self {
        let (ty, letter) = if program.style.int { ("int", "i") } else { ("float", "f") };
        Self { program, ty, letter, text: String::new(), indent: 1, count: 0 }
    }

    fn function(mut self, index: usize) -> String {
        let _ = writeln!(self.text, "\nunsigned long p{index}() {{");
        // Whoever calls it may have left work behind.
        self.line("cudaDeviceSynchronize();");
        self.line(&format!("const int n = {};", self.program.elements));
        self.line(&format!("const size_t bytes = n * sizeof({});", self.ty));
        self.line("unsigned long sum = 17;");
        for (stream, how) in self.program.streams.iter().enumerate() {
            let name = stream + 1;
            self.line(&format!("cudaStream_t s{name};"));
            self.line(&if how.non_blocking {
                format!("cudaStreamCreateWithFlags(&s{name}, cudaStreamNonBlocking);")
            } else {
                format!("cudaStreamCreate(&s{name});")
            });
        }
        self.line("cudaEvent_t event;");
        self.line("cudaEventCreate(&event);");
        if self.program.style.rounds {
            self.line("for (int round = 0; round < 2; round++) {");
            self.indent += 1;
        }
        for pair in 0..self.program.pairs.len() {
            let (ty, letter) = (self.ty, self.letter);
            self.line(&if self.program.style.fields {
                format!("Buffers_{letter} b{pair} = {{nullptr, nullptr}};")
            } else {
                format!("{ty} *h{pair} = nullptr, *d{pair} = nullptr;")
            });
        }
        self.block(&self.program.body);
        if self.program.style.rounds {
            self.indent -= 1;
            self.line("}");
        }
        for stream in 0..self.program.streams.len() {
            self.line(&format!("cudaStreamDestroy(s{});", stream + 1));
        }
        self.line("return sum;");
        self.text.push_str("}\n");
        self.text
    }

    fn line(&mut self, text: &str) {
        let _ = writeln!(self.text, "{}{text}", "  ".repeat(self.indent));
    }

    fn call(&mut self, text: &str) {
        if self.program.style.check {
            self.line(&format!("CHECK({text});"));
        } else {
            self.line(&format!("{text};"));
        }
    }

    fn name(&self, side: Side) -> String {
        match (side, self.program.style.fields) {
            (Side::Host(pair), false) => format!("h{pair}"),
            (Side::Device(pair), false) => format!("d{pair}"),
            (Side::Host(pair), true) => format!("b{pair}.host"),
            (Side::Device(pair), true) => format!("b{pair}.device"),
        }
    }

    fn bytes(&self, pair: usize) -> String {
        match self.program.pairs[pair].size {
            0 => "bytes".to_owned(),
            1 => format!("n * sizeof({})", self.ty),
            2 => format!("sizeof({}) * n", self.ty),
            3 => format!("(size_t)n * sizeof({})", self.ty),
            _ => "4 * n".to_owned(),
        }
    }

    fn block(&mut self, body: &[Statement]) {
        for statement in body {
            self.count += 1;
            self.statement(statement);
        }
    }

    fn nested(&mut self, body: &[Statement]) {
        self.indent += 1;
        self.block(body);
        self.indent -= 1;
    }

    fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Allocate(side) => self.allocate(*side),
            Statement::Free(side) => {
                let name = self.name(*side);
                match side {
                    Side::Device(_) => self.call(&format!("cudaFree({name})")),
                    Side::Host(pair) => match self.program.pairs[*pair].host {
                        HostKind::Malloc | HostKind::Calloc => self.line(&format!("free({name});")),
                        HostKind::New => self.line(&format!("delete[] {name};")),
                        HostKind::Pinned => self.call(&format!("cudaFreeHost({name})")),
                    },
                }
            }
            Statement::Host { pair, work, part, reach } => self.host(*pair, *work, *part, *reach),
            Statement::HostCopy(to, from) => {
                let (to_name, from_name) =
                    (self.name(Side::Host(*to)), self.name(Side::Host(*from)));
                let bytes = self.bytes(*to);
                self.line(&format!("memcpy({to_name}, {from_name}, {bytes});"));
            }
            Statement::Copy { to, from, part, stream, default } => {
                self.copy(*to, *from, *part, *stream, *default);
            }
            Statement::Launch(kernel, stream) => self.launch(*kernel, *stream),
            Statement::Memset(pair, stream) => {
                let (name, bytes) = (self.name(Side::Device(*pair)), self.bytes(*pair));
                match stream {
                    None => self.call(&format!("cudaMemset({name}, 0, {bytes})")),
                    Some(stream) => self.call(&format!(
                        "cudaMemsetAsync({name}, 0, {bytes}, {})",
                        stream_name(*stream)
                    )),
                }
            }
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
            Statement::Loop(times, body) => {
                let counter = self.count;
                self.line(&format!(
                    "for (int k{counter} = 0; k{counter} < {times}; k{counter}++) {{"
                ));
                self.nested(body);
                self.line("}");
            }
            Statement::Branch(one, other) => {
                self.line("if (sum % 2 == 0) {");
                self.nested(one);
                if !other.is_empty() {
                    self.line("} else {");
                    self.nested(other);
                }
                self.line("}");
            }
            Statement::Compare(pair) => {
                let (host, device) = (self.name(Side::Host(*pair)), self.name(Side::Device(*pair)));
                self.line(&format!("if ({host} == {device}) sum += 1000;"));
            }
            Statement::Return => self.line("if (sum % 5 == 0) return sum;"),
        }
    }

    fn allocate(&mut self, side: Side) {
        let (name, ty) = (self.name(side), self.ty);
        match side {
            Side::Device(pair) => {
                let bytes = self.bytes(pair);
                self.call(&format!("cudaMalloc((void**)&{name}, {bytes})"));
            }
            Side::Host(pair) => {
                let bytes = self.bytes(pair);
                match self.program.pairs[pair].host {
                    HostKind::Malloc => self.line(&format!("{name} = ({ty}*)malloc({bytes});")),
                    HostKind::Calloc => {
                        self.line(&format!("{name} = ({ty}*)calloc(n, sizeof({ty}));"));
                    }
                    HostKind::New => self.line(&format!("{name} = new {ty}[n];")),
                    HostKind::Pinned => {
                        self.call(&format!("cudaMallocHost((void**)&{name}, {bytes})"));
                    }
                }
            }
        }
    }

    fn host(&mut self, pair: usize, work: HostWork, part: Part, reach: Reach) {
        let name = self.name(Side::Host(pair));
        let (letter, k) = (self.letter, self.count % 13);
        let (low, high) = match part {
            Part::Whole => ("0", "n"),
            Part::Lower => ("0", "n / 2"),
            Part::Upper => ("n / 2", "n"),
        };
        if work == HostWork::Clear {
            let bytes = self.bytes(pair);
            self.line(&format!("memset({name}, 0, {bytes});"));
            return;
        }
        if reach == Reach::Function {
            self.line(&match work {
                HostWork::Read => format!("sum += weigh_{letter}({name}, {low}, {high});"),
                HostWork::Update => format!("bump_{letter}({name}, {low}, {high});"),
                HostWork::Fill | HostWork::Clear => {
                    format!("fill_{letter}({name}, {low}, {high}, {k});")
                }
            });
            return;
        }
        let (place, low, high) = if reach == Reach::Alias {
            let alias = format!("a{}", self.count);
            self.line(&format!("{}* {alias} = {name} + {low};", self.ty));
            (alias, "0".to_owned(), format!("{high} - {low}"))
        } else {
            (name, low.to_owned(), high.to_owned())
        };
        let element = format!("{place}[i]");
        let inner = match work {
            HostWork::Read => format!("sum = sum * 31 + (unsigned long)(long)({element} * 4);"),
            HostWork::Update => format!("{element} = {element} / 2 + {k};"),
            HostWork::Fill | HostWork::Clear => format!("{element} = (i * 5 + {k}) % 97;"),
        };
        self.line(&format!("for (int i = {low}; i < {high}; i++) {inner}"));
    }

    fn copy(&mut self, to: Side, from: Side, part: Part, stream: Option<usize>, default: bool) {
        let (mut to_name, mut from_name) = (self.name(to), self.name(from));
        let (Side::Host(pair) | Side::Device(pair)) = to;
        let bytes = match part {
            Part::Whole => self.bytes(pair),
            Part::Lower => format!("n / 2 * sizeof({})", self.ty),
            Part::Upper => {
                to_name += " + n / 2";
                from_name += " + n / 2";
                format!("(n - n / 2) * sizeof({})", self.ty)
            }
        };
        let helper = match (to, from) {
            (Side::Device(_), Side::Host(_)) => Some("upload"),
            (Side::Host(_), Side::Device(_)) => Some("download"),
            (Side::Host(_), Side::Host(_)) | (Side::Device(_), Side::Device(_)) => None,
        };
        if let (Some(helper), None, true) = (helper, stream, self.program.style.helpers) {
            let letter = self.letter;
            self.line(&format!("{helper}_{letter}({to_name}, {from_name}, {bytes});"));
            return;
        }
        let kind = match (to, from) {
            _ if default => "cudaMemcpyDefault",
            (Side::Device(_), Side::Host(_)) => "cudaMemcpyHostToDevice",
            (Side::Host(_), Side::Device(_)) => "cudaMemcpyDeviceToHost",
            (Side::Device(_), Side::Device(_)) => "cudaMemcpyDeviceToDevice",
            (Side::Host(_), Side::Host(_)) => "cudaMemcpyHostToHost",
        };
        match stream {
            None => self.call(&format!("cudaMemcpy({to_name}, {from_name}, {bytes}, {kind})")),
            Some(stream) => self.call(&format!(
                "cudaMemcpyAsync({to_name}, {from_name}, {bytes}, {kind}, {})",
                stream_name(stream)
            )),
        }
    }

    fn launch(&mut self, kernel: Kernel, stream: usize) {
        let letter = self.letter;
        let device = |pair: usize| self.name(Side::Device(pair));
        let (name, arguments) = match kernel {
            Kernel::Update(d) => ("update", format!("{}, n", device(d))),
            Kernel::Ramp(d) => ("ramp", format!("{}, n, {}", device(d), self.count % 7)),
            Kernel::Map(to, from) => ("map", format!("{}, {}, n", device(to), device(from))),
            Kernel::Add(to, from) => ("add", format!("{}, {}, n", device(to), device(from))),
            Kernel::Half(d) => ("half", format!("{}, n", device(d))),
            Kernel::Touch(d) => ("touch", format!("{}, n", device(d))),
        };
        let grid = if name == "touch" { "1, 1" } else { "(n + 31) / 32, 32" };
        let grid = match stream {
            0 => grid.to_owned(),
            stream => format!("{grid}, 0, s{stream}"),
        };
        self.line(&format!("{name}_{letter}<<<{grid}>>>({arguments});"));
    }
}

fn stream_name(stream: usize) -> String {
    if stream == 0 { "0".to_owned() } else { format!("s{stream}") }
}
