//! Calls of the CUDA API, by their roles.

use clang_sys as clang;
use echo_dataflow::program::{
    Argument, Callee, Capture, CopyShape, CudaOperation, DeviceMemory, DeviceRelease, Expr, Launch,
    Place, Rows, SourceRef, StatementKind, TransferKind, Wait,
};

use crate::clang::Cursor;

use super::body::Body;
use super::cuda_roles::{By, Role, is_cuda_api, role};

impl Body<'_, '_> {
    /// Lowers a call of the CUDA API; `false` if it is none.
    pub(super) fn cuda_call(
        &mut self,
        cursor: Cursor,
        target: Cursor,
        name: &str,
        written: &[Cursor],
        result: Option<&Place>,
        source: SourceRef,
    ) -> bool {
        let given: Vec<Cursor> =
            written.iter().copied().filter(|a| a.expanded_range().0.file != 0).collect();
        let in_table = role(name);
        if !target.in_system_header() || (in_table.is_none() && !is_cuda_api(name)) {
            return false;
        }
        let operation = match in_table {
            Some(Role::LaunchKernel) => {
                self.launch_by_call(cursor, &given, source);
                if let Some(result) = result {
                    let int = self.unit.int_type();
                    self.assign(result.clone(), int, Expr::Unknown, source);
                }
                return true;
            }
            Some(role) => self.operation(role, name, &given),
            None => None,
        };
        let operation = operation.unwrap_or_else(|| {
            let mut arguments: Vec<Expr> = given.iter().map(|a| self.any_value(*a)).collect();
            let lambdas = self.callbacks(&[], &given);
            if !lambdas.is_empty() {
                arguments.push(Expr::Closure(lambdas));
            }
            CudaOperation::Unmodelled { arguments }
        });
        let callee = cursor.children().first().copied();
        let syntax = self.call_syntax(cursor, &given, callee);
        let name = self.unit.name(name);
        self.push(
            StatementKind::Cuda { operation: Box::new(operation), name, result: result.cloned() },
            source,
            Some(syntax),
        );
        true
    }

    fn any_value(&mut self, argument: Cursor) -> Expr {
        let ty = self.unit_type(argument.ty());
        match self.unit.program.ty(ty).kind {
            echo_dataflow::program::TypeKind::Record { .. } => {
                Expr::AddressOf(Box::new(self.place(argument)))
            }
            echo_dataflow::program::TypeKind::Void
            | echo_dataflow::program::TypeKind::Integer { .. }
            | echo_dataflow::program::TypeKind::Float
            | echo_dataflow::program::TypeKind::Pointer { .. }
            | echo_dataflow::program::TypeKind::Array { .. }
            | echo_dataflow::program::TypeKind::Function
            | echo_dataflow::program::TypeKind::Unknown => self.rvalue(argument),
        }
    }

    /// The operation, if all arguments the role needs were written.
    fn operation(&mut self, role: Role, name: &str, given: &[Cursor]) -> Option<CudaOperation> {
        let seen = std::cell::Cell::new(0u64);
        let at = |index: usize| {
            seen.set(
                seen.get() | 1u64.checked_shl(u32::try_from(index).unwrap_or(64)).unwrap_or(0),
            );
            given.get(index).copied()
        };
        let operation = match role {
            Role::Allocate { memory, target, bytes } => {
                let ty = self.pointee_type(at(target)?);
                let target = self.pointee_place(at(target)?);
                let bytes = match at(bytes) {
                    Some(bytes) => self.rvalue(bytes),
                    None => Expr::Unknown,
                };
                CudaOperation::Allocate { memory, target, ty, bytes }
            }
            Role::AllocateFlags { target, bytes, flags } => {
                let ty = self.pointee_type(at(target)?);
                let target = self.pointee_place(at(target)?);
                let bytes = self.rvalue(at(bytes)?);
                // Without the mapped bit (2) it is merely pinned.
                let memory = match at(flags).map(|f| self.rvalue(f)) {
                    Some(Expr::Integer(flags)) if flags & 2 == 0 => DeviceMemory::Pinned,
                    Some(_) | None => DeviceMemory::Mapped,
                };
                CudaOperation::Allocate { memory, target, ty, bytes }
            }
            Role::AllocateRows { target } => {
                let place = self.pointee_place(at(target)?);
                if let Some(pitch) = at(1) {
                    let pitch = self.pointee_place(pitch);
                    let int = self.unit.int_type();
                    let source = self.unit.source(given[0]);
                    self.assign(pitch, int, Expr::Unknown, source);
                }
                CudaOperation::Allocate {
                    memory: DeviceMemory::Pitched,
                    target: place,
                    ty: None,
                    bytes: Expr::Unknown,
                }
            }
            Role::Release(by) => {
                let pointer = self.rvalue(at(0)?);
                let by = match by {
                    By::Free => DeviceRelease::Free,
                    By::FreeHost => DeviceRelease::FreeHost,
                    By::FreeAsync => DeviceRelease::FreeAsync(at(1).map(|s| self.rvalue(s))),
                    By::FreeArray => DeviceRelease::FreeArray,
                };
                CudaOperation::Release { by, pointer }
            }
            Role::Copy { to, from, bytes, kind, stream } => {
                let to = self.rvalue(at(to)?);
                let from = self.rvalue(at(from)?);
                let bytes = self.rvalue(at(bytes)?);
                let kind = match at(kind) {
                    Some(kind) => self.transfer_kind(kind),
                    None => TransferKind::HostToDevice,
                };
                let stream = self.stream_argument(stream, given);
                CudaOperation::Copy { to, from, shape: CopyShape::Linear { bytes }, kind, stream }
            }
            Role::CopyFixed { to, from, bytes, kind, stream } => {
                let to = self.rvalue(at(to)?);
                let from = self.rvalue(at(from)?);
                let bytes = self.rvalue(at(bytes)?);
                let stream = self.stream_argument(stream, given);
                CudaOperation::Copy { to, from, shape: CopyShape::Linear { bytes }, kind, stream }
            }
            Role::Copy2D { stream } => {
                let to = self.rvalue(at(0)?);
                let to_pitch = self.rvalue(at(1)?);
                let from = self.rvalue(at(2)?);
                let from_pitch = self.rvalue(at(3)?);
                let width = self.rvalue(at(4)?);
                let height = self.rvalue(at(5)?);
                let kind = self.transfer_kind(at(6)?);
                let stream = self.stream_argument(stream, given);
                let rows = Rows { to_pitch, from_pitch, width, height };
                let shape = CopyShape::Rows(Box::new(rows));
                CudaOperation::Copy { to, from, shape, kind, stream }
            }
            Role::Fill { stream } => {
                let to = self.rvalue(at(0)?);
                self.discard(at(1)?);
                let bytes = self.rvalue(at(2)?);
                let stream = self.stream_argument(stream, given);
                CudaOperation::Fill { to, bytes, stream }
            }
            Role::FillElements { bytes, stream } => {
                let to = self.rvalue(at(0)?);
                self.discard(at(1)?);
                let count = self.rvalue(at(2)?);
                let bytes = Expr::Arithmetic {
                    op: echo_dataflow::program::Arithmetic::Multiply,
                    left: Box::new(count),
                    right: Box::new(Expr::Integer(bytes)),
                };
                let stream = self.stream_argument(stream, given);
                CudaOperation::Fill { to, bytes, stream }
            }
            Role::Fill2D { stream } => {
                let to = self.rvalue(at(0)?);
                let stream = self.stream_argument(stream, given);
                CudaOperation::Fill { to, bytes: Expr::Unknown, stream }
            }
            Role::DeviceSync => CudaOperation::Synchronize(Wait::Device),
            Role::StreamSync => {
                let stream = at(0).map(|s| self.rvalue(s));
                CudaOperation::Synchronize(Wait::Stream(stream))
            }
            Role::EventSync => CudaOperation::Synchronize(Wait::Event(self.rvalue(at(0)?))),
            Role::StreamQuery => {
                let stream = at(0).map(|s| self.rvalue(s));
                CudaOperation::Query(Wait::Stream(stream))
            }
            Role::EventQuery => CudaOperation::Query(Wait::Event(self.rvalue(at(0)?))),
            Role::StreamCreate { flags } => {
                let target = self.pointee_place(at(0)?);
                let non_blocking = match flags {
                    None => Some(false),
                    Some(flags) => match self.rvalue(at(flags)?) {
                        Expr::Integer(flags) => Some(flags & 1 != 0),
                        _ => None,
                    },
                };
                CudaOperation::StreamCreate { target, non_blocking }
            }
            Role::StreamDestroy => CudaOperation::StreamDestroy(self.rvalue(at(0)?)),
            Role::EventCreate => CudaOperation::EventCreate(self.pointee_place(at(0)?)),
            Role::EventDestroy => CudaOperation::EventDestroy(self.rvalue(at(0)?)),
            Role::EventRecord => {
                let event = self.rvalue(at(0)?);
                let stream = at(1).map(|s| self.rvalue(s));
                CudaOperation::EventRecord { event, stream }
            }
            Role::StreamWaitEvent => {
                let stream = at(0).map(|s| self.rvalue(s));
                let event = self.rvalue(at(1)?);
                CudaOperation::StreamWaitEvent { stream, event }
            }
            Role::Elapsed => {
                let target = self.pointee_place(at(0)?);
                let start = self.rvalue(at(1)?);
                let stop = self.rvalue(at(2)?);
                CudaOperation::ElapsedTime { start, stop, target }
            }
            Role::SetDevice if name == "cuCtxPopCurrent" => {
                let context = at(0).map(|context| self.pointee_place(context));
                self.written(context, given);
                CudaOperation::SetDevice(None)
            }
            Role::SetDevice => CudaOperation::SetDevice(at(0).map(|d| self.any_value(d))),
            Role::SetDeviceFlags => CudaOperation::SetDeviceFlags,
            Role::Reset => CudaOperation::DeviceReset,
            Role::HostRegister => CudaOperation::HostRegister(self.rvalue(at(0)?)),
            Role::Observe { pointer, target, value } => {
                let pointer = self.rvalue(at(pointer)?);
                let target = target.and_then(at).map(|t| self.pointee_place(t));
                let target = if value {
                    target
                } else {
                    self.written(target, given);
                    None
                };
                CudaOperation::ObservePointer { pointer, target }
            }
            Role::CaptureBegin => {
                CudaOperation::Capture(Capture::Begin(at(0).map(|s| self.rvalue(s))))
            }
            Role::CaptureEnd => {
                let graph = at(1).map(|graph| self.pointee_place(graph));
                self.written(graph, given);
                CudaOperation::Capture(Capture::End)
            }
            Role::GraphLaunch => {
                CudaOperation::Capture(Capture::Launch(at(1).map(|s| self.rvalue(s))))
            }
            Role::HostCallback { stream, callee, data } => {
                let stream = at(stream).map(|s| self.rvalue(s));
                let callee = self.rvalue(at(callee)?);
                let data = self.rvalue(at(data)?);
                CudaOperation::HostCallback { stream, callee, data }
            }
            Role::Hint => {
                let pointer = self.rvalue(at(0)?);
                for other in given.iter().skip(1) {
                    self.any_value(*other);
                }
                CudaOperation::Hint { pointer }
            }
            Role::ToSymbol { stream } | Role::FromSymbol { stream } => {
                let to_symbol = matches!(role, Role::ToSymbol { .. });
                let pointer = self.rvalue(if to_symbol { at(1)? } else { at(0)? });
                let bytes = self.rvalue(at(2)?);
                let stream = self.stream_argument(stream, given);
                CudaOperation::SymbolCopy { pointer, bytes, to_symbol, stream }
            }
            Role::Neutral => {
                let mut writes = Vec::new();
                for argument in given {
                    let value = self.any_value(*argument);
                    match value {
                        Expr::AddressOf(place) => writes.push(*place),
                        Expr::Integer(_)
                        | Expr::Null
                        | Expr::Literal
                        | Expr::Function(_)
                        | Expr::Closure(_)
                        | Expr::Unknown
                        | Expr::Computed(_) => {}
                        value => {
                            // `cudaGetDeviceProperties(prop, 0)` with a pointer variable.
                            let pointer =
                                matches!(argument.ty().canonical().kind(), clang::CXType_Pointer);
                            if pointer {
                                writes.push(Place::deref(value));
                            } else {
                                let source = self.unit.source(*argument);
                                self.push(StatementKind::Evaluate(value), source, None);
                            }
                        }
                    }
                }
                if matches!(name, "cudaMemGetInfo" | "cuMemGetInfo") {
                    CudaOperation::MemoryInfo { writes }
                } else {
                    CudaOperation::Neutral { writes }
                }
            }
            Role::LaunchKernel => return None,
        };
        // What the role says nothing of is evaluated nevertheless.
        let all = matches!(role, Role::Neutral | Role::Hint);
        for (index, argument) in given.iter().enumerate() {
            let streams = role.stream() == Some(index);
            if !all && !streams && seen.get() >> index.min(63) & 1 == 0 {
                self.discard(*argument);
            }
        }
        Some(operation)
    }

    /// The call stores something at `target` that is not followed.
    fn written(&mut self, target: Option<Place>, given: &[Cursor]) {
        if let (Some(target), Some(first)) = (target, given.first()) {
            let source = self.unit.source(*first);
            let operation = CudaOperation::Neutral { writes: vec![target] };
            let name = "".into();
            let operation = Box::new(operation);
            self.push(StatementKind::Cuda { operation, name, result: None }, source, None);
        }
    }

    fn transfer_kind(&mut self, kind: Cursor) -> TransferKind {
        match self.rvalue(kind) {
            Expr::Integer(0) => TransferKind::HostToHost,
            Expr::Integer(1) => TransferKind::HostToDevice,
            Expr::Integer(2) => TransferKind::DeviceToHost,
            Expr::Integer(3) => TransferKind::DeviceToDevice,
            Expr::Integer(4) => TransferKind::Default,
            _ => TransferKind::Unknown,
        }
    }

    fn stream_argument(
        &mut self,
        position: Option<usize>,
        given: &[Cursor],
    ) -> Option<Option<Expr>> {
        let position = position?;
        Some(given.get(position).copied().map(|stream| self.rvalue(stream)))
    }

    /// `cudaLaunchKernel(f, grid, block, args, shared, stream)`: the arguments are behind an array of pointers.
    fn launch_by_call(&mut self, cursor: Cursor, given: &[Cursor], source: SourceRef) {
        let kernel = match given.first() {
            Some(kernel) => self.rvalue(*kernel),
            None => Expr::Unknown,
        };
        let mut kernel = kernel;
        while let Expr::Cast { value, .. } = kernel {
            kernel = *value;
        }
        let mut arguments = Vec::new();
        let mut stream = None;
        for (index, argument) in given.iter().enumerate().skip(1) {
            let value = self.any_value(*argument);
            if index == 5 {
                stream = Some(value);
            } else if index == 3 {
                let ty = self.unit_type(argument.ty());
                arguments.push(Argument { value, ty, source });
            }
        }
        // What the array points to is not followed: the kernel counts as one whose arguments are not seen.
        let _ = kernel;
        let callee = Callee::Indirect(Expr::Unknown);
        let syntax = self.call_syntax(cursor, given, None);
        self.push(
            StatementKind::Launch(Box::new(Launch {
                kernel: callee,
                arguments,
                stream,
                configuration: Vec::new(),
                extended: true,
            })),
            source,
            Some(syntax),
        );
    }
}
