//! Programs that are alike up to names: of streams that are created alike, and of pairs that are alike.

use super::enumerate::Family;
use super::scenario::{Buffer, Step, StreamNumber};

/// Where a renaming takes the steps of an alphabet; `None`: to none of them.
#[derive(Debug)]
pub(crate) struct Symmetry {
    to: Vec<Option<usize>>,
}

/// Whether another program, that comes earlier in the order of the alphabet, is the same up to names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Twin {
    None,
    OfThis,
    /// And the same goes for every program that starts like this one.
    OfAllThatGoOn,
}

/// The renamings that nothing but the order of the allocations distinguishes.
pub(crate) fn symmetries(family: &Family) -> Vec<Symmetry> {
    let setting = family.setting;
    let streams = !setting.second_is_non_blocking && !setting.second_is_unknown;
    let pairs = !setting.other_is_small && !setting.host_is_half;
    let renamings = [(true, false), (false, true), (true, true)];
    let allowed = renamings.into_iter().filter(|(s, p)| (!s || streams) && (!p || pairs));
    let place = |step: Step| family.alphabet.iter().position(|own| *own == step);
    let symmetry = |(s, p): (bool, bool)| {
        let to = family.alphabet.iter().map(|step| place(renamed(*step, s, p))).collect();
        Symmetry { to }
    };
    allowed.map(symmetry).collect()
}

/// Compares the program with its renamings.
pub(crate) fn twin(codes: &[usize], symmetries: &[Symmetry]) -> Twin {
    let mut found = Twin::None;
    for Symmetry { to } in symmetries {
        let differs = codes.iter().find(|&&code| to[code] != Some(code));
        let is_earlier = differs.is_some_and(|&code| to[code].is_some_and(|to| to < code));
        if is_earlier && to.iter().all(Option::is_some) {
            return Twin::OfAllThatGoOn;
        }
        if is_earlier && codes.iter().all(|&code| to[code].is_some()) {
            found = Twin::OfThis;
        }
    }
    found
}

/// The step with the created streams, or the pairs, the other way round.
fn renamed(step: Step, streams: bool, pairs: bool) -> Step {
    let s = |stream: StreamNumber| if streams && stream > 0 { 3 - stream } else { stream };
    let b = |buffer: Buffer| match buffer {
        _ if !pairs => buffer,
        Buffer::Host => Buffer::OtherHost,
        Buffer::OtherHost => Buffer::Host,
        Buffer::Device => Buffer::OtherDevice,
        Buffer::OtherDevice => Buffer::Device,
        Buffer::Pinned => Buffer::Pinned,
    };
    match step {
        Step::HostWrite(x, part) => Step::HostWrite(b(x), part),
        Step::HostRead(x, part) => Step::HostRead(b(x), part),
        Step::KernelWrite(x, stream, part) => Step::KernelWrite(b(x), s(stream), part),
        Step::KernelRead(x, stream) => Step::KernelRead(b(x), s(stream)),
        Step::KernelUpdate(x, stream) => Step::KernelUpdate(b(x), s(stream)),
        Step::KernelMove(x, y, stream) => Step::KernelMove(b(x), b(y), s(stream)),
        Step::KernelMirror(x, y, stream) => Step::KernelMirror(b(x), b(y), s(stream)),
        Step::Unrelated(stream) => Step::Unrelated(s(stream)),
        Step::Fill(x, stream) => Step::Fill(b(x), s(stream)),
        Step::Copy { to, from, part, stream } => {
            Step::Copy { to: b(to), from: b(from), part, stream: stream.map(s) }
        }
        // It goes to one device buffer or the other in any case.
        Step::CopyToEither { from, stream } => {
            Step::CopyToEither { from: b(from), stream: stream.map(s) }
        }
        Step::Shift { to, from } => Step::Shift { to: b(to), from: b(from) },
        Step::WaitForDevice => Step::WaitForDevice,
        Step::WaitForStream(stream) => Step::WaitForStream(s(stream)),
        Step::Record(stream) => Step::Record(s(stream)),
        Step::StreamWaits(stream) => Step::StreamWaits(s(stream)),
        Step::WaitForMarker => Step::WaitForMarker,
        Step::Allocate(x) => Step::Allocate(b(x)),
        Step::Free(x) => Step::Free(b(x)),
        // It frees one host buffer or the other in any case.
        Step::FreeEither => Step::FreeEither,
        Step::Reset => Step::Reset,
    }
}
