//! Calls of the CUDA runtime and driver API.

mod table;

use echo_dataflow::program::{
    Arithmetic, Capture, CopyShape, CudaOperation, DeviceMemory, DeviceRelease, Expr, Place,
    StatementKind, TransferKind, Wait,
};

use super::allocation::target_of;
use super::body::Body;
use super::call::Site;
use super::expression::Operand;
use super::fold;
use super::spans::Ownership;
use crate::clang::{Cursor, Type};
use table::{Kind, Role, Stream, is_api_name, role};

impl<'tu> Body<'_, 'tu> {
    /// A call of `declared`, if it is a function of the CUDA API.
    pub(super) fn cuda_call(
        &mut self,
        site: &Site<'tu>,
        declared: Cursor<'tu>,
        name: &str,
        arguments: &[Cursor<'tu>],
    ) -> Option<Operand> {
        if !is_api_name(name) {
            return None;
        }
        let known = role(name);
        let system =
            self.session.spans.ownership(declared.canonical().location()) == Ownership::System;
        if known.is_none() && !system {
            return None;
        }
        let parameters: Vec<Type<'tu>> = declared.ty().parameters();
        let mut lowered = Vec::new();
        for (index, argument) in arguments.iter().enumerate() {
            let parameter = parameters.get(index).copied();
            let argument = self.argument(declared, index, *argument, parameter);
            let mark = self.mark();
            lowered.push((argument, mark));
        }
        let values: Vec<Expr> = self.settled(lowered).into_iter().map(|a| a.value).collect();
        if let Some(Role::Text) = known {
            return Some(Operand::Value(Expr::Literal));
        }
        let result_type = self.ty(declared.ty().result());
        let void = self.session.void_type();
        if self.session.is_aggregate(result_type) {
            // `cudaCreateChannelDesc` and its kin: plain values.
            let place = Place::variable(self.object(result_type));
            return Some(Operand::Place(place));
        }
        let (result, operand) = if result_type == void {
            (None, Operand::Value(Expr::Computed(Vec::new())))
        } else {
            self.result_slot(result_type)
        };
        let pitch = match known {
            Some(Role::AllocateShaped { pitch: Some(at), .. }) => values.get(at).cloned(),
            _ => None,
        };
        let operation = operation(known, &values);
        let kind = StatementKind::Cuda { operation, name: name.to_owned(), result };
        self.emit_site(kind, site);
        if let Some(pitch) = pitch {
            let ty = self.session.unsigned_type();
            self.assign(target_of(pitch), ty, Expr::Unknown, site.source);
        }
        Some(operand)
    }
}

/// The stream an argument names; `None` for the default stream.
pub(crate) fn stream_of(argument: Option<Expr>) -> Option<Expr> {
    fn is_default(value: &Expr) -> bool {
        match value {
            Expr::Null | Expr::Integer(0) => true,
            Expr::Cast { value, .. } => is_default(value),
            Expr::Literal
            | Expr::Integer(_)
            | Expr::Load { .. }
            | Expr::AddressOf(_)
            | Expr::Arithmetic { .. }
            | Expr::PointerAdd { .. }
            | Expr::PointerDifference { .. }
            | Expr::Compare { .. }
            | Expr::Function(_)
            | Expr::Closure(_)
            | Expr::Computed(_)
            | Expr::Unknown => false,
        }
    }
    argument.filter(|value| !is_default(value))
}

fn operation(role: Option<Role>, values: &[Expr]) -> CudaOperation {
    described(role, values)
        .unwrap_or_else(|| CudaOperation::Unmodelled { arguments: values.to_vec() })
}

/// `None` if the call does not have the arguments that its row speaks of.
fn described(role: Option<Role>, values: &[Expr]) -> Option<CudaOperation> {
    let at = |position: usize| values.get(position).cloned();
    let target = |position: usize| at(position).map(target_of);
    let stream = |stream: Stream| match stream {
        Stream::Sync => None,
        Stream::At(position) => Some(stream_of(at(position))),
    };
    let kind = |kind: Kind| match kind {
        Kind::At(position) => transfer_kind(values.get(position)),
        Kind::HostToDevice => TransferKind::HostToDevice,
        Kind::DeviceToHost => TransferKind::DeviceToHost,
        Kind::DeviceToDevice => TransferKind::DeviceToDevice,
        Kind::Default => TransferKind::Default,
    };
    Some(match role? {
        Role::Allocate { memory, target: to, bytes } => {
            CudaOperation::Allocate { memory, target: target(to)?, bytes: at(bytes)? }
        }
        Role::AllocateHost { target: to, bytes, flags } => {
            const MAPPED: i128 = 2;
            let memory = match values.get(flags) {
                Some(Expr::Integer(flags)) if flags & MAPPED == 0 => DeviceMemory::Pinned,
                Some(_) | None => DeviceMemory::Mapped,
            };
            CudaOperation::Allocate { memory, target: target(to)?, bytes: at(bytes)? }
        }
        Role::AllocateShaped { memory, target: to, .. } => {
            CudaOperation::Allocate { memory, target: target(to)?, bytes: Expr::Unknown }
        }
        Role::Free(pointer) => {
            CudaOperation::Release { by: DeviceRelease::Free, pointer: at(pointer)? }
        }
        Role::FreeHost(pointer) => {
            CudaOperation::Release { by: DeviceRelease::FreeHost, pointer: at(pointer)? }
        }
        Role::FreeAsync { pointer, stream: s } => CudaOperation::Release {
            by: DeviceRelease::FreeAsync(stream_of(at(s))),
            pointer: at(pointer)?,
        },
        Role::FreeArray(pointer) => {
            CudaOperation::Release { by: DeviceRelease::FreeArray, pointer: at(pointer)? }
        }
        Role::Copy { to, from, bytes, kind: k, stream: s } => CudaOperation::Copy {
            to: at(to)?,
            from: at(from)?,
            shape: CopyShape::Linear { bytes: at(bytes)? },
            kind: kind(k),
            stream: stream(s),
        },
        Role::Copy2d { to, to_pitch, from, from_pitch, width, height, kind: k, stream: s } => {
            CudaOperation::Copy {
                to: at(to)?,
                from: at(from)?,
                shape: CopyShape::Rows {
                    to_pitch: at(to_pitch)?,
                    from_pitch: at(from_pitch)?,
                    width: at(width)?,
                    height: at(height)?,
                },
                kind: kind(k),
                stream: stream(s),
            }
        }
        Role::Fill { to, bytes, element_bytes, stream: s } => {
            let count = at(bytes)?;
            let bytes = match element_bytes {
                1 => count,
                n => fold::arithmetic(Arithmetic::Multiply, count, Expr::Integer(n.into())),
            };
            CudaOperation::Fill { to: at(to)?, bytes, stream: stream(s) }
        }
        Role::Fill2d { to, pitch, width, height, stream: s } => {
            let (pitch, width, height) = (at(pitch)?, at(width)?, at(height)?);
            if pitch != width {
                return None;
            }
            let bytes = fold::arithmetic(Arithmetic::Multiply, width, height);
            CudaOperation::Fill { to: at(to)?, bytes, stream: stream(s) }
        }
        Role::WaitDevice => CudaOperation::Synchronize(Wait::Device),
        Role::WaitStream(s) => CudaOperation::Synchronize(Wait::Stream(stream_of(at(s)))),
        Role::WaitEvent(event) => CudaOperation::Synchronize(Wait::Event(at(event)?)),
        Role::QueryStream(s) => CudaOperation::Query(Wait::Stream(stream_of(at(s)))),
        Role::QueryEvent(event) => CudaOperation::Query(Wait::Event(at(event)?)),
        Role::StreamCreate { target: to, flags } => CudaOperation::StreamCreate {
            target: target(to)?,
            non_blocking: match flags.map(|f| values.get(f)) {
                None => Some(false),
                Some(Some(Expr::Integer(flags))) => Some(flags & 1 != 0),
                Some(_) => None,
            },
        },
        Role::StreamDestroy(s) => CudaOperation::StreamDestroy(at(s)?),
        Role::EventCreate(to) => CudaOperation::EventCreate(target(to)?),
        Role::EventDestroy(event) => CudaOperation::EventDestroy(at(event)?),
        Role::EventRecord { event, stream: s } => {
            CudaOperation::EventRecord { event: at(event)?, stream: stream_of(at(s)) }
        }
        Role::StreamWaitEvent { stream: s, event } => {
            CudaOperation::StreamWaitEvent { stream: stream_of(at(s)), event: at(event)? }
        }
        Role::ElapsedTime { target: to, start, stop } => {
            CudaOperation::ElapsedTime { start: at(start)?, stop: at(stop)?, target: target(to)? }
        }
        Role::SetDevice(device) => CudaOperation::SetDevice(device.and_then(at)),
        Role::SetDeviceFlags => CudaOperation::SetDeviceFlags,
        Role::DeviceReset => CudaOperation::DeviceReset,
        Role::HostRegister(pointer) => CudaOperation::HostRegister(at(pointer)?),
        Role::ObservePointer { pointer, target: to } => CudaOperation::ObservePointer {
            pointer: at(pointer)?,
            target: match to {
                Some(to) => Some(target(to)?),
                None => None,
            },
        },
        Role::CaptureBegin(s) => CudaOperation::Capture(Capture::Begin(stream_of(at(s)))),
        Role::CaptureEnd => CudaOperation::Capture(Capture::End),
        Role::GraphLaunch { stream: s } => {
            CudaOperation::Capture(Capture::Launch(stream_of(at(s))))
        }
        Role::HostCallback { stream: s, callee, data } => CudaOperation::HostCallback {
            stream: stream_of(at(s)),
            callee: at(callee)?,
            data: at(data)?,
        },
        Role::Hint(pointer) => CudaOperation::Hint { pointer: at(pointer)? },
        Role::SymbolCopy { pointer, bytes, to_symbol, stream: s } => CudaOperation::SymbolCopy {
            pointer: at(pointer)?,
            bytes: at(bytes)?,
            to_symbol,
            stream: stream(s),
        },
        Role::Bind(pointer) => CudaOperation::Bind { pointer: at(pointer)? },
        Role::Neutral(results) => {
            let writes: Option<Vec<Place>> =
                results.iter().map(|r| at(*r).map(target_of)).collect();
            CudaOperation::Neutral { writes: writes? }
        }
        Role::Text => CudaOperation::Neutral { writes: Vec::new() },
        Role::Unmodelled => return None,
    })
}

fn transfer_kind(value: Option<&Expr>) -> TransferKind {
    match value {
        Some(Expr::Integer(0)) => TransferKind::HostToHost,
        Some(Expr::Integer(1)) => TransferKind::HostToDevice,
        Some(Expr::Integer(2)) => TransferKind::DeviceToHost,
        Some(Expr::Integer(3)) => TransferKind::DeviceToDevice,
        Some(Expr::Integer(4)) => TransferKind::Default,
        Some(_) | None => TransferKind::Unknown,
    }
}
