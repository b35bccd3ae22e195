//! CUDA operations as text.

use super::display::Text;
use super::{Capture, CopyShape, CudaOperation, DeviceRelease, Expr, Wait};

impl Text<'_> {
    pub(super) fn operation(&self, operation: &CudaOperation) -> String {
        match operation {
            CudaOperation::Allocate { memory, target, bytes } => {
                format!("allocate {memory:?} {} bytes {}", self.place(target), self.expr(bytes))
            }
            CudaOperation::Release { by, pointer } => {
                let by = match by {
                    DeviceRelease::Free => "free".to_owned(),
                    DeviceRelease::FreeHost => "free-host".to_owned(),
                    DeviceRelease::FreeArray => "free-array".to_owned(),
                    DeviceRelease::FreeAsync(stream) => {
                        format!("free-async in {}", self.stream(stream.as_ref()))
                    }
                };
                format!("{by} {}", self.expr(pointer))
            }
            CudaOperation::Copy { to, from, shape, kind, stream } => {
                let shape = match shape {
                    CopyShape::Linear { bytes } => format!("bytes {}", self.expr(bytes)),
                    CopyShape::Rows { to_pitch, from_pitch, width, height } => format!(
                        "rows {} of {} pitch {} from {}",
                        self.expr(height),
                        self.expr(width),
                        self.expr(to_pitch),
                        self.expr(from_pitch)
                    ),
                };
                format!(
                    "copy {} <- {} {shape} {kind:?}{}",
                    self.expr(to),
                    self.expr(from),
                    self.mode(stream.as_ref())
                )
            }
            CudaOperation::Fill { to, bytes, stream } => format!(
                "fill {} bytes {}{}",
                self.expr(to),
                self.expr(bytes),
                self.mode(stream.as_ref())
            ),
            CudaOperation::Synchronize(wait) => format!("wait {}", self.wait(wait)),
            CudaOperation::Query(wait) => format!("query {}", self.wait(wait)),
            CudaOperation::StreamCreate { target, non_blocking } => {
                format!("stream {} non-blocking {non_blocking:?}", self.place(target))
            }
            CudaOperation::StreamDestroy(stream) => format!("destroy {}", self.expr(stream)),
            CudaOperation::EventCreate(target) => format!("event {}", self.place(target)),
            CudaOperation::EventDestroy(event) => format!("destroy {}", self.expr(event)),
            CudaOperation::EventRecord { event, stream } => {
                format!("record {} in {}", self.expr(event), self.stream(stream.as_ref()))
            }
            CudaOperation::StreamWaitEvent { stream, event } => {
                format!("{} waits for {}", self.stream(stream.as_ref()), self.expr(event))
            }
            CudaOperation::ElapsedTime { start, stop, target } => format!(
                "elapsed {} = {} - {}",
                self.place(target),
                self.expr(stop),
                self.expr(start)
            ),
            CudaOperation::SetDevice(device) => match device {
                Some(device) => format!("set-device {}", self.expr(device)),
                None => "set-device".to_owned(),
            },
            CudaOperation::SetDeviceFlags => "set-flags".to_owned(),
            CudaOperation::DeviceReset => "reset".to_owned(),
            CudaOperation::HostRegister(pointer) => format!("register {}", self.expr(pointer)),
            CudaOperation::ObservePointer { pointer, target } => {
                let target = target.as_ref().map_or(String::new(), |t| self.place(t));
                format!("observe {} {target}", self.expr(pointer))
            }
            CudaOperation::Capture(capture) => match capture {
                Capture::Begin(stream) => format!("capture {}", self.stream(stream.as_ref())),
                Capture::End => "end-capture".to_owned(),
                Capture::Launch(stream) => format!("graph in {}", self.stream(stream.as_ref())),
            },
            CudaOperation::HostCallback { stream, callee, data } => format!(
                "callback {} ({}) in {}",
                self.expr(callee),
                self.expr(data),
                self.stream(stream.as_ref())
            ),
            CudaOperation::Hint { pointer } => format!("hint {}", self.expr(pointer)),
            CudaOperation::SymbolCopy { pointer, bytes, to_symbol, stream } => format!(
                "{} symbol {} bytes {}{}",
                if *to_symbol { "to" } else { "from" },
                self.expr(pointer),
                self.expr(bytes),
                self.mode(stream.as_ref())
            ),
            CudaOperation::Bind { pointer } => format!("bind {}", self.expr(pointer)),
            CudaOperation::Neutral { writes } => {
                let writes: Vec<String> = writes.iter().map(|w| self.place(w)).collect();
                format!("neutral [{}]", writes.join(", "))
            }
            CudaOperation::Unmodelled { arguments } => {
                format!("unmodelled [{}]", self.exprs(arguments))
            }
        }
    }

    fn stream(&self, stream: Option<&Expr>) -> String {
        stream.map_or("default".to_owned(), |s| self.expr(s))
    }

    fn mode(&self, stream: Option<&Option<Expr>>) -> String {
        stream.map_or(String::new(), |s| format!(" in {}", self.stream(s.as_ref())))
    }

    fn wait(&self, wait: &Wait) -> String {
        match wait {
            Wait::Device => "device".to_owned(),
            Wait::Stream(stream) => self.stream(stream.as_ref()),
            Wait::Event(event) => self.expr(event),
        }
    }
}
