//! Families of small programs.

use super::scenario::Buffer::{Device, Host, OtherDevice, OtherHost, Pinned};
use super::scenario::{Scenario, Step};

/// Programs of one kind.
pub(crate) struct Family {
    pub(crate) name: &'static str,
    pub(crate) scenarios: Vec<Scenario>,
}

/// How many programs of each family are checked by default; `ECHO_LAW=all` checks all.
const SAMPLE: usize = 4_000;

/// All families. Each program starts with a host write, so that most read nothing undefined, and ends with its frees.
pub(crate) fn families() -> Vec<Family> {
    vec![
        family("values", &values(), 4, false, false),
        family("streams", &streams(), 4, false, false),
        family("non-blocking", &streams(), 3, true, false),
        family("small uploads", &streams(), 3, true, true),
        family("markers", &markers(), 4, true, false),
        family("sharing", &sharing(), 4, false, false),
        family("third buffer", &third(), 4, false, false),
    ]
}

fn link(to_device: bool, stream: Option<u8>, part: u8) -> Step {
    if to_device {
        Step::Copy { to: Device, from: Host, part, stream }
    } else {
        Step::Copy { to: Host, from: Device, part, stream }
    }
}

fn values() -> Vec<Step> {
    vec![
        Step::HostWrite(Host, 0),
        Step::HostWrite(Host, 1),
        Step::HostRead(Host, 0),
        Step::HostRead(Host, 2),
        Step::KernelWrite(Device, 0, 0),
        Step::KernelWrite(Device, 0, 1),
        Step::KernelRead(Device, 0),
        Step::KernelUpdate(Device, 0),
        Step::Fill(Device),
        link(true, None, 0),
        link(false, None, 0),
        link(true, None, 1),
        link(false, None, 2),
        Step::WaitForDevice,
        Step::Free(Host),
        Step::Free(Device),
    ]
}

fn streams() -> Vec<Step> {
    vec![
        Step::HostWrite(Host, 0),
        Step::HostRead(Host, 0),
        Step::KernelWrite(Device, 1, 0),
        Step::KernelWrite(Device, 2, 0),
        Step::KernelRead(Device, 1),
        Step::KernelRead(Device, 2),
        Step::KernelUpdate(Device, 0),
        link(true, None, 0),
        link(false, None, 0),
        link(true, Some(1), 0),
        link(false, Some(1), 0),
        link(false, Some(2), 0),
        Step::WaitForStream(0),
        Step::WaitForStream(1),
        Step::WaitForDevice,
    ]
}

fn markers() -> Vec<Step> {
    vec![
        Step::HostWrite(Host, 0),
        Step::HostRead(Host, 0),
        Step::KernelWrite(Device, 1, 0),
        Step::KernelUpdate(Device, 2),
        Step::KernelRead(Device, 0),
        link(true, None, 0),
        link(false, Some(1), 0),
        Step::Record(1),
        Step::Record(2),
        Step::Record(0),
        Step::StreamWaits(1),
        Step::StreamWaits(2),
        Step::WaitForMarker,
    ]
}

fn sharing() -> Vec<Step> {
    let copy = |to, from| Step::Copy { to, from, part: 0, stream: None };
    vec![
        Step::HostWrite(Host, 0),
        Step::HostWrite(OtherHost, 0),
        Step::HostRead(Host, 0),
        Step::HostRead(OtherHost, 0),
        Step::KernelUpdate(Device, 0),
        Step::KernelMove(Device, OtherDevice, 0),
        Step::KernelRead(OtherDevice, 1),
        copy(Device, Host),
        copy(Host, Device),
        copy(Device, OtherHost),
        copy(OtherHost, Device),
        copy(OtherDevice, Host),
        copy(OtherHost, OtherDevice),
        copy(OtherDevice, Device),
    ]
}

fn third() -> Vec<Step> {
    let copy = |to, from, stream| Step::Copy { to, from, part: 0, stream };
    vec![
        Step::HostWrite(Host, 0),
        Step::HostRead(Host, 0),
        Step::HostRead(Pinned, 0),
        Step::HostWrite(Pinned, 0),
        Step::KernelUpdate(Device, 0),
        Step::KernelWrite(Device, 1, 0),
        Step::KernelWrite(Pinned, 1, 0),
        link(true, None, 0),
        link(false, None, 0),
        link(true, Some(1), 0),
        copy(Pinned, Device, Some(1)),
        copy(Device, Pinned, Some(1)),
        copy(Device, Pinned, None),
        Step::WaitForStream(1),
    ]
}

/// All sequences of up to `length` steps, straight, and split in three around a loop or an optional part; thinned evenly.
fn family(
    name: &'static str,
    alphabet: &[Step],
    length: u32,
    second_is_non_blocking: bool,
    small: bool,
) -> Family {
    let n = alphabet.len();
    let mut codes: Vec<(u32, usize, usize)> = Vec::new();
    for length in 2..=length {
        for code in 0..n.pow(length) {
            // Shape 0 is straight; others put a loop or an optional part around an inner range.
            for shape in 0..shapes(length as usize) {
                codes.push((length, code, shape));
            }
        }
    }
    let all = std::env::var("ECHO_LAW").is_ok_and(|v| v == "all");
    let mut scenarios = Vec::new();
    // A stride coprime to the number of programs visits them in a scattered order.
    let stride = (codes.len() / 2 + 1..).find(|s| gcd(*s, codes.len()) == 1).unwrap_or(1);
    let mut at = 0;
    for _ in 0..codes.len() {
        at = (at + stride * 7919) % codes.len();
        let (length, mut code, shape) = codes[at];
        let mut steps = Vec::new();
        for _ in 0..length {
            steps.push(alphabet[code % n]);
            code /= n;
        }
        let scenario = shaped(steps, shape, second_is_non_blocking, small);
        if is_interesting(&scenario) {
            scenarios.push(scenario);
        }
        if !all && scenarios.len() >= SAMPLE {
            break;
        }
    }
    Family { name, scenarios }
}

fn gcd(a: usize, b: usize) -> usize {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// Straight; a loop or an optional part around each range of at least one step.
fn shapes(length: usize) -> usize {
    1 + length * (length + 1)
}

fn shaped(steps: Vec<Step>, shape: usize, second_is_non_blocking: bool, small: bool) -> Scenario {
    let mut before = vec![Step::HostWrite(Host, 0)];
    let frees = |steps: &[Step]| {
        [Host, Device, OtherHost, OtherDevice, Pinned]
            .into_iter()
            .filter(|b| !steps.contains(&Step::Free(*b)))
            .filter(|b| uses(steps, *b))
            .map(Step::Free)
            .collect::<Vec<_>>()
    };
    let mut all = before.clone();
    all.extend(&steps);
    let frees = frees(&all);
    let (mut middle, mut after) = (Vec::new(), steps);
    let mut once = false;
    if shape > 0 {
        let mut ranges = Vec::new();
        for start in 0..after.len() {
            for end in start + 1..=after.len() {
                ranges.push((start, end));
            }
        }
        let (start, end) = ranges[(shape - 1) / 2];
        once = shape % 2 == 0;
        let tail = after.split_off(end);
        middle = after.split_off(start);
        before.extend(after);
        after = tail;
    }
    after.extend(frees);
    Scenario { before, middle, once, after, second_is_non_blocking, small }
}

fn uses(steps: &[Step], buffer: super::scenario::Buffer) -> bool {
    let text = format!("{steps:?}");
    // `OtherHost` contains `Host`: compare whole words.
    text.split(|c: char| !c.is_alphanumeric()).any(|word| word == format!("{buffer:?}"))
}

/// A linking copy and an observation.
fn is_interesting(scenario: &Scenario) -> bool {
    let steps = scenario.steps();
    let links = steps.iter().any(|s| {
        matches!(s, Step::Copy { to, from, part: 0, .. }
            if matches!((to, from), (Host, Device) | (Device, Host)))
    });
    let observes = steps.iter().any(|s| matches!(s, Step::HostRead(..) | Step::KernelRead(..)));
    links && observes
}
