//! The families of small programs.

use super::enumerate::Family;
use super::scenario::Buffer::{Device, Host, OtherDevice, OtherHost, Pinned};
use super::scenario::{Buffer, Part, Setting, Step, StreamNumber};

/// All families; `longer` adds as many steps to each, but only one or two to the three largest.
pub(crate) fn families(longer: usize) -> Vec<Family> {
    let plain = Setting::default();
    let side = Setting { second_is_non_blocking: true, ..plain };
    let small = Setting { small: true, ..side };
    let one_small = Setting { other_is_small: true, ..plain };
    let unknown = Setting { second_is_unknown: true, ..plain };
    let unknown_side = Setting { second_is_unknown: true, ..side };
    let exactly = |name, setting, alphabet: Vec<Step>, (straight, one, two)| Family {
        name,
        setting,
        alphabet,
        straight,
        one_construct: one,
        two_constructs: two,
        only_plain: true,
        split_from: usize::MAX,
    };
    let family = |name, setting, alphabet, (straight, one, two)| {
        let more = |steps: usize| if steps == 0 { 0 } else { steps + longer };
        exactly(name, setting, alphabet, (more(straight), more(one), more(two)))
    };
    let mut families = vec![
        family("values", plain, values(), (6, 4, 3)),
        family("halves", plain, halves(), (5, 3, 0)),
        family("frees", plain, frees(), (5, 4, 3)),
        family("allocations", plain, allocations(), (6, 5, 0)),
        family("resets", plain, resets(), (5, 4, 0)),
        family("one of two frees", plain, one_of_two_frees(), (5, 4, 0)),
        family("zeroed", Setting { zeroed: true, ..plain }, zeroed(), (6, 4, 0)),
        family("shifts", plain, shifts(), (5, 0, 0)),
        family("both sides", plain, both_sides(), (5, 3, 0)),
        family("sizes", Setting { host_is_half: true, ..plain }, sizes(), (5, 0, 0)),
        family("markers", side, markers(), (5, 3, 0)),
        family("small uploads", small, streams(), (5, 3, 0)),
        family("unknown stream", unknown, streams(), (5, 3, 0)),
        family("unknown non-blocking stream", unknown_side, streams(), (5, 3, 0)),
        family("either", plain, either(), (5, 3, 0)),
        family("two pairs, one small", one_small, lean(), (5, 0, 0)),
        family("two small pairs", Setting { small: true, ..one_small }, lean(), (5, 0, 0)),
        family("two pairs", plain, two_pairs(), (5, 3, 0)),
        family("sharing", plain, sharing(), (5, 3, 0)),
        family("third buffer", plain, third(), (5, 3, 0)),
        family("two streams", plain, streams(), (6, 4, 0)),
        family("non-blocking stream", side, streams(), (6, 3, 0)),
    ];
    let wide = exactly("two pairs and a third buffer", plain, wide(), (5, 4, 3));
    let everything = exactly("one pair", plain, everything(), (6, 4, 4));
    let constructs = exactly("one pair, a loop or a branch", plain, one_pair(), (0, 5, 0));
    families.extend(match longer {
        0 => {
            let split = |family| Family { split_from: 6, ..family };
            vec![wide, split(everything), split(constructs)]
        }
        1 => vec![wide, Family { one_construct: 5, ..everything }],
        _ => vec![
            Family { straight: 6, one_construct: 5, two_constructs: 4, ..wide },
            Family { straight: 7, one_construct: 6, two_constructs: 5, ..everything },
        ],
    });
    families
}

fn copy(to: Buffer, from: Buffer, stream: Option<StreamNumber>) -> Step {
    part(to, from, 0, stream)
}

fn part(to: Buffer, from: Buffer, part: Part, stream: Option<StreamNumber>) -> Step {
    Step::Copy { to, from, part, stream }
}

fn up(stream: Option<StreamNumber>) -> Step {
    copy(Device, Host, stream)
}

fn down(stream: Option<StreamNumber>) -> Step {
    copy(Host, Device, stream)
}

/// What nearly all families have, and more.
fn basic(more: &[Step]) -> Vec<Step> {
    let common = [Step::HostWrite(Host, 0), Step::HostRead(Host, 0), up(None), down(None)];
    [&common, more].concat()
}

/// One stream, whole buffers.
fn values() -> Vec<Step> {
    basic(&[
        Step::KernelWrite(Device, 0, 0),
        Step::KernelRead(Device, 0),
        Step::KernelUpdate(Device, 0),
        Step::Fill(Device, 0),
        Step::WaitForDevice,
    ])
}

/// One stream, halves.
fn halves() -> Vec<Step> {
    vec![
        Step::HostWrite(Host, 0),
        Step::HostWrite(Host, 1),
        Step::HostRead(Host, 1),
        Step::HostRead(Host, 2),
        Step::KernelWrite(Device, 0, 0),
        Step::KernelWrite(Device, 0, 1),
        Step::KernelRead(Device, 0),
        up(None),
        down(None),
        part(Device, Host, 1, None),
        part(Host, Device, 1, None),
        part(Host, Device, 2, None),
        Step::WaitForDevice,
    ]
}

/// All that DESIGN section 8 names.
fn everything() -> Vec<Step> {
    basic(&[
        Step::HostWrite(Host, 1),
        Step::HostRead(Host, 1),
        Step::KernelWrite(Device, 1, 0),
        Step::KernelWrite(Device, 1, 1),
        Step::KernelRead(Device, 1),
        Step::KernelUpdate(Device, 1),
        Step::KernelRead(Device, 2),
        Step::KernelUpdate(Device, 2),
        Step::KernelUpdate(Device, 0),
        Step::Unrelated(0),
        Step::Unrelated(1),
        Step::Fill(Device, 0),
        Step::Fill(Device, 1),
        part(Device, Host, 1, None),
        part(Host, Device, 1, None),
        up(Some(1)),
        down(Some(1)),
        up(Some(2)),
        down(Some(2)),
        Step::WaitForDevice,
        Step::WaitForStream(0),
        Step::WaitForStream(1),
        Step::WaitForStream(2),
        Step::Free(Host),
        Step::Free(Device),
    ])
}

/// The same without what differs little: for longer programs.
fn one_pair() -> Vec<Step> {
    let differs_little = [
        Step::KernelWrite(Device, 1, 0),
        Step::KernelUpdate(Device, 0),
        Step::Unrelated(0),
        Step::Fill(Device, 1),
        up(Some(2)),
        Step::WaitForStream(0),
    ];
    everything().into_iter().filter(|step| !differs_little.contains(step)).collect()
}

/// Two pairs and a pinned third buffer.
fn wide() -> Vec<Step> {
    basic(&[
        Step::HostWrite(OtherHost, 0),
        Step::HostWrite(Pinned, 0),
        Step::HostRead(OtherHost, 0),
        Step::HostRead(Pinned, 0),
        Step::KernelRead(Device, 1),
        Step::KernelUpdate(Device, 1),
        Step::KernelWrite(Device, 2, 0),
        Step::KernelUpdate(OtherDevice, 1),
        Step::KernelRead(OtherDevice, 2),
        Step::KernelMove(Device, OtherDevice, 1),
        Step::KernelMove(OtherDevice, Device, 2),
        Step::KernelWrite(Pinned, 1, 0),
        Step::Fill(Device, 0),
        Step::Unrelated(1),
        up(Some(1)),
        down(Some(1)),
        copy(OtherDevice, OtherHost, None),
        copy(OtherHost, OtherDevice, None),
        copy(OtherHost, OtherDevice, Some(2)),
        copy(OtherDevice, Host, None),
        copy(OtherHost, Device, None),
        copy(OtherDevice, Device, None),
        copy(Pinned, Device, Some(1)),
        copy(Device, Pinned, Some(1)),
        copy(Pinned, Host, None),
        copy(OtherHost, Host, None),
        Step::WaitForDevice,
        Step::WaitForStream(1),
    ])
}

fn streams() -> Vec<Step> {
    basic(&[
        Step::Fill(Device, 1),
        Step::KernelUpdate(Device, 1),
        Step::KernelRead(Device, 2),
        Step::Unrelated(2),
        up(Some(1)),
        down(Some(2)),
        Step::WaitForStream(1),
        Step::WaitForStream(2),
    ])
}

fn markers() -> Vec<Step> {
    vec![
        Step::HostWrite(Host, 0),
        Step::HostRead(Host, 0),
        Step::KernelWrite(Device, 1, 0),
        Step::KernelUpdate(Device, 2),
        Step::KernelRead(Device, 0),
        up(None),
        down(Some(1)),
        Step::Record(1),
        Step::Record(2),
        Step::Record(0),
        Step::StreamWaits(1),
        Step::StreamWaits(2),
        Step::StreamWaits(0),
        Step::WaitForMarker,
    ]
}

fn frees() -> Vec<Step> {
    basic(&[
        Step::KernelUpdate(Device, 1),
        Step::KernelRead(Device, 1),
        down(Some(1)),
        Step::WaitForDevice,
        Step::Free(Host),
        Step::Free(Device),
    ])
}

/// All that is on the device ends in the middle.
fn resets() -> Vec<Step> {
    basic(&[Step::KernelUpdate(Device, 0), Step::Free(Host), Step::Free(Device), Step::Reset])
}

/// A free that is one of two.
fn one_of_two_frees() -> Vec<Step> {
    basic(&[
        Step::KernelUpdate(Device, 0),
        Step::Free(Host),
        Step::Free(Device),
        Step::Free(OtherHost),
        Step::FreeEither,
    ])
}

fn allocations() -> Vec<Step> {
    basic(&[
        Step::KernelWrite(Device, 0, 0),
        Step::Allocate(Host),
        Step::Allocate(Device),
        Step::Free(Host),
        Step::Free(Device),
    ])
}

fn zeroed() -> Vec<Step> {
    vec![
        Step::HostWrite(Host, 1),
        Step::HostRead(Host, 0),
        Step::KernelWrite(Device, 0, 0),
        Step::KernelRead(Device, 0),
        up(None),
        down(None),
        Step::Unrelated(1),
        Step::Allocate(Host),
        Step::Allocate(Device),
    ]
}

fn shifts() -> Vec<Step> {
    basic(&[
        Step::KernelRead(Device, 0),
        Step::KernelWrite(Device, 0, 0),
        Step::Shift { to: Device, from: Host },
        Step::Shift { to: Host, from: Device },
    ])
}

/// Kernels that are given the host buffer too.
fn both_sides() -> Vec<Step> {
    basic(&[
        Step::KernelRead(Device, 0),
        Step::KernelWrite(Device, 0, 0),
        Step::KernelMove(Host, Device, 0),
        Step::KernelMirror(Host, Device, 0),
        Step::KernelMirror(Device, Host, 0),
        Step::WaitForDevice,
    ])
}

/// A pointer that is one of two.
fn either() -> Vec<Step> {
    basic(&[
        Step::KernelRead(Device, 0),
        Step::KernelUpdate(Device, 0),
        Step::KernelRead(OtherDevice, 0),
        Step::KernelWrite(OtherDevice, 0, 0),
        copy(OtherDevice, Host, None),
        Step::CopyToEither { from: Host, stream: None },
        Step::CopyToEither { from: Host, stream: Some(1) },
        Step::WaitForStream(1),
    ])
}

fn sizes() -> Vec<Step> {
    vec![
        Step::HostWrite(Host, 1),
        Step::HostRead(Host, 1),
        Step::KernelWrite(Device, 0, 0),
        Step::KernelRead(Device, 0),
        Step::Fill(Device, 0),
        part(Device, Host, 1, None),
        part(Host, Device, 1, None),
    ]
}

fn sharing() -> Vec<Step> {
    basic(&[
        Step::HostWrite(OtherHost, 0),
        Step::HostRead(OtherHost, 0),
        Step::KernelUpdate(Device, 0),
        Step::KernelMove(Device, OtherDevice, 0),
        Step::KernelRead(OtherDevice, 1),
        copy(Device, OtherHost, None),
        copy(OtherHost, Device, None),
        copy(OtherDevice, Host, None),
        copy(OtherHost, OtherDevice, None),
        copy(OtherDevice, Device, None),
    ])
}

fn two_pairs() -> Vec<Step> {
    vec![
        Step::HostWrite(Host, 0),
        Step::HostRead(Host, 0),
        Step::HostRead(OtherHost, 0),
        Step::HostRead(Pinned, 0),
        Step::KernelUpdate(Device, 1),
        Step::KernelMove(Device, OtherDevice, 1),
        Step::KernelMove(OtherDevice, Device, 2),
        up(None),
        down(Some(1)),
        copy(OtherDevice, OtherHost, None),
        copy(OtherHost, OtherDevice, None),
        copy(OtherHost, OtherDevice, Some(1)),
        copy(Pinned, Device, Some(1)),
        copy(OtherDevice, Pinned, Some(2)),
        Step::WaitForStream(1),
    ]
}

/// The other pair is dropped for its size: what it waited for must not be counted on.
fn lean() -> Vec<Step> {
    vec![
        Step::HostWrite(Host, 0),
        Step::HostRead(Host, 0),
        Step::KernelUpdate(Device, 1),
        Step::KernelRead(Device, 1),
        Step::KernelWrite(OtherDevice, 1, 0),
        up(None),
        down(Some(1)),
        copy(OtherHost, OtherDevice, Some(1)),
        copy(OtherHost, OtherDevice, None),
        copy(OtherDevice, OtherHost, None),
        Step::WaitForStream(1),
    ]
}

fn third() -> Vec<Step> {
    basic(&[
        Step::HostRead(Pinned, 0),
        Step::HostWrite(Pinned, 0),
        Step::KernelUpdate(Device, 0),
        Step::KernelWrite(Device, 1, 0),
        Step::KernelWrite(Pinned, 1, 0),
        up(Some(1)),
        copy(Pinned, Device, Some(1)),
        copy(Device, Pinned, Some(1)),
        copy(Device, Pinned, None),
        copy(Pinned, Host, None),
        Step::WaitForStream(1),
    ])
}
