//! Random programs. They need not make sense: [`crate::repair`] makes them race-free and defined.

use crate::form::{Form, KernelForm};
use crate::program::{
    Check, CopyCall, DeviceKind, HostKind, HostWork, Kernel, Names, Pair, Part, Program, Reach,
    Side, Slack, Special, Stage, Statement, Stream, Style, Wait,
};
use crate::random::Random;

/// What a program has beside the plainest constructs. Most programs have little of it: where there is much, the tool
/// declines, and nothing is tested.
#[derive(Debug, Clone, Copy)]
struct Spice {
    kinds: bool,
    slack: bool,
    sizes: bool,
    reaches: bool,
    copies: bool,
    kernels: bool,
    lambdas: bool,
    stages: bool,
    names: bool,
    functions: bool,
    flow: bool,
    counted: bool,
    special: Option<Special>,
    form: Option<Form>,
}

impl Spice {
    fn pick(random: &mut Random, lambdas: bool) -> Self {
        Self {
            kinds: random.chance(15),
            slack: random.chance(6),
            sizes: random.chance(20),
            reaches: random.chance(30),
            copies: random.chance(15),
            kernels: random.chance(30),
            lambdas: lambdas && random.chance(40),
            stages: random.chance(20),
            names: random.chance(20),
            functions: random.chance(15),
            flow: random.chance(15),
            counted: random.chance(20),
            special: random.chance(15).then(|| random.pick(&Special::ALL)),
            form: random.chance(45).then(|| random.pick(&Form::ALL)),
        }
    }
}

/// A program, not repaired. With `lambdas` it may have kernels of its own, and needs its own device code.
pub(crate) fn generate(random: &mut Random, lambdas: bool) -> Program {
    let spice = Spice::pick(random, lambdas);
    let pairs =
        (0..random.pick(&[1, 1, 1, 2, 2, 3])).map(|_| pair(random, &spice)).collect::<Vec<_>>();
    let streams = (0..random.pick(&[0, 0, 1, 1, 2]))
        .map(|_| Stream { non_blocking: random.chance(35), priority: random.chance(20) })
        .collect::<Vec<_>>();
    let style = style(random, &spice);
    let pairs: Vec<Pair> = match style.names {
        // One object is enough to free a buffer.
        Names::Object => pairs.into_iter().map(without_object).collect(),
        Names::Locals | Names::Late | Names::Fields | Names::Arrays | Names::Globals => pairs,
    };
    let mut body = Vec::new();
    for side in sides_in_any_order(random, pairs.len()) {
        // The others are allocated where they are first needed.
        if random.chance(75) {
            body.push(Statement::Allocate(side));
        }
    }
    let shape = Shape { pairs: pairs.len(), streams: streams.len(), spice };
    // Where pointers are handed on, little else: what is declined for other reasons tests nothing of that.
    let formed = spice.form.is_some();
    if random.chance(if formed { 85 } else { 60 }) {
        let trip = round_trip(random, &shape, 0);
        let staged = spice.stages && random.chance(50);
        if staged {
            body.push(stage(random, trip));
        } else if let (Some(form), true) = (spice.form, random.chance(35)) {
            body.push(Statement::Stage(Stage::With(form), trip));
        } else {
            body.extend(handed_on(random, &shape, trip));
        }
    }
    if let Some(special) = spice.special {
        let stream = stream(random, &shape);
        body.push(Statement::Special(special, random.below(pairs.len()), stream));
    }
    let statements = if formed { random.below(7) } else { 3 + random.below(9) };
    for _ in 0..statements {
        let statement = statement(random, &shape, 0);
        body.extend(handed_on(random, &shape, vec![statement]));
    }
    if random.chance(80) {
        let pair = random.below(pairs.len());
        let last = vec![
            copy(random, &shape, Side::Host(pair), Side::Device(pair)),
            host(random, &shape, pair, HostWork::Read),
        ];
        body.extend(handed_on(random, &shape, last));
    }
    for side in sides_in_any_order(random, pairs.len()) {
        if random.chance(92) {
            body.push(Statement::Free(side));
        }
    }
    Program { elements: random.pick(&[64, 96, 130, 200]), pairs, streams, body, style }
}

fn without_object(pair: Pair) -> Pair {
    if pair.device == DeviceKind::Object { Pair { device: DeviceKind::Cast, ..pair } } else { pair }
}

fn style(random: &mut Random, spice: &Spice) -> Style {
    let check = match random.below(100) {
        0..10 => Check::Macro,
        10..13 if spice.functions => Check::Function,
        13..40 if spice.functions => Check::Branch,
        _ => Check::None,
    };
    let names = if spice.names {
        random.pick(&[
            Names::Fields,
            Names::Fields,
            Names::Arrays,
            Names::Object,
            Names::Globals,
            Names::Globals,
        ])
    } else {
        random.pick(&[Names::Locals, Names::Late])
    };
    Style {
        check,
        helpers: spice.functions && random.chance(40),
        allocators: spice.functions && random.chance(30),
        launchers: spice.functions && random.chance(60),
        names,
        int: random.chance(50),
        rounds: random.chance(7),
        flow: spice.flow,
        cleanup: spice.flow && random.chance(40),
        counted: spice.counted,
    }
}

struct Shape {
    pairs: usize,
    streams: usize,
    spice: Spice,
}

fn pair(random: &mut Random, spice: &Spice) -> Pair {
    let host = if spice.kinds {
        random.pick(&[
            HostKind::Malloc,
            HostKind::Pinned,
            HostKind::Mapped,
            HostKind::Vector,
            HostKind::Unique,
        ])
    } else {
        random.pick(&[HostKind::Malloc, HostKind::Malloc, HostKind::Calloc, HostKind::New])
    };
    let device = if spice.kinds {
        random.pick(&[
            DeviceKind::Cast,
            DeviceKind::Template,
            DeviceKind::Object,
            DeviceKind::Async,
        ])
    } else {
        random.pick(&[DeviceKind::Cast, DeviceKind::Cast, DeviceKind::Template])
    };
    let slack = if spice.slack {
        random.pick(&[Slack::None, Slack::Host, Slack::Device, Slack::CutHost, Slack::CutDevice])
    } else {
        Slack::None
    };
    let sizes = if spice.sizes {
        let same = random.below(Pair::SIZES);
        let each = random.chance(60);
        [same; 3].map(|same| if each { random.below(Pair::SIZES) } else { same })
    } else {
        [random.below(Pair::PLAIN_SIZES); 3]
    };
    Pair { host, device, sizes, slack }
}

fn sides_in_any_order(random: &mut Random, pairs: usize) -> Vec<Side> {
    let side = |index: usize| {
        if index.is_multiple_of(2) { Side::Host(index / 2) } else { Side::Device(index / 2) }
    };
    order(random, pairs * 2).into_iter().map(side).collect()
}

fn order(random: &mut Random, count: usize) -> Vec<usize> {
    let mut all: Vec<usize> = (0..count).collect();
    for at in (1..count).rev() {
        all.swap(at, random.below(at + 1));
    }
    all
}

// What most programs do: fill, copy, compute, copy back, read.
fn round_trip(random: &mut Random, shape: &Shape, pair: usize) -> Vec<Statement> {
    let (host_side, device_side) = (Side::Host(pair), Side::Device(pair));
    let mut body = vec![host(random, shape, pair, HostWork::Fill)];
    body.push(copy(random, shape, device_side, host_side));
    let stream = stream(random, shape);
    let form = random.pick(&KernelForm::ALL);
    let kernel = if shape.spice.kernels && random.chance(50) {
        Kernel::Form(form, pair)
    } else {
        random.pick(&[Kernel::Update(pair), Kernel::Touch(pair)])
    };
    body.push(Statement::Launch(kernel, stream));
    if random.chance(70) {
        body.push(copy(random, shape, host_side, device_side));
        body.push(host(random, shape, pair, HostWork::Read));
    }
    body
}

// Some of the statements, each where its pointers come in the program's form.
fn handed_on(random: &mut Random, shape: &Shape, body: Vec<Statement>) -> Vec<Statement> {
    let Some(form) = shape.spice.form else { return body };
    let on = |statement: Statement| {
        let works = matches!(
            statement,
            Statement::Host { .. }
                | Statement::HostCopy(..)
                | Statement::Copy { .. }
                | Statement::Launch(..)
                | Statement::Memset(..)
        );
        if works && random.chance(35) {
            Statement::Stage(Stage::With(form), vec![statement])
        } else {
            statement
        }
    };
    body.into_iter().map(on).collect()
}

fn host(random: &mut Random, shape: &Shape, pair: usize, work: HostWork) -> Statement {
    let part = random.pick(&[Part::Whole, Part::Whole, Part::Whole, Part::Lower, Part::Upper]);
    let reach = if shape.spice.reaches {
        random.pick(&[
            Reach::Loop,
            Reach::Alias,
            Reach::Pointer,
            Reach::Global,
            Reach::Lambda,
            Reach::Algorithm,
            Reach::Each,
            Reach::Range,
            Reach::Returned,
            Reach::Index,
            Reach::Method,
            Reach::Default,
            Reach::Open,
        ])
    } else {
        random.pick(&[Reach::Loop, Reach::Loop, Reach::Alias, Reach::Function])
    };
    Statement::Host { pair, work, part, reach }
}

fn copy(random: &mut Random, shape: &Shape, to: Side, from: Side) -> Statement {
    let part = if random.chance(88) {
        Part::Whole
    } else {
        random.pick(&[
            Part::Lower,
            Part::Lower,
            Part::Upper,
            Part::Upper,
            Part::Stripe,
            Part::Shift,
        ])
    };
    let stream = random.chance(25).then(|| stream(random, shape));
    let call = match random.below(12) {
        0 => CopyCall::Default,
        1..4 if shape.spice.copies => CopyCall::Rows,
        _ => CopyCall::Flat,
    };
    Statement::Copy { to, from, part, stream, call }
}

fn stream(random: &mut Random, shape: &Shape) -> usize {
    if random.chance(45) { 0 } else { random.below(shape.streams + 1) }
}

fn statement(random: &mut Random, shape: &Shape, depth: usize) -> Statement {
    let pair = random.below(shape.pairs);
    if let Some(special) = shape.spice.special
        && random.chance(15)
    {
        return Statement::Special(special, pair, stream(random, shape));
    }
    let other = random.below(shape.pairs);
    match random.below(if depth == 0 { 28 } else { 21 }) {
        0 | 1 => host(random, shape, pair, HostWork::Fill),
        2 => host(random, shape, pair, HostWork::Update),
        3..=5 => host(random, shape, pair, HostWork::Read),
        6 => host(random, shape, pair, HostWork::Clear),
        7..=9 => copy(random, shape, Side::Device(pair), Side::Host(pair)),
        10..=12 => copy(random, shape, Side::Host(pair), Side::Device(pair)),
        13 if other != pair => match random.below(4) {
            0 => Statement::HostCopy(pair, other),
            1 => copy(random, shape, Side::Device(pair), Side::Device(other)),
            2 => copy(random, shape, Side::Device(pair), Side::Host(other)),
            _ => copy(random, shape, Side::Host(pair), Side::Device(other)),
        },
        13..=17 => {
            let kernel = kernel(random, shape, pair, other);
            Statement::Launch(kernel, stream(random, shape))
        }
        18 => Statement::Memset(pair, random.chance(40).then(|| stream(random, shape))),
        19 => {
            let stream = stream(random, shape);
            Statement::Wait(random.pick(&[Wait::Device, Wait::Stream(stream), Wait::Event(stream)]))
        }
        20 => Statement::StreamWait(stream(random, shape), stream(random, shape)),
        21 | 22 => {
            let times = 2 + random.below(2) as u32;
            let body = block(random, shape, depth);
            Statement::Loop(times, handed_on(random, shape, body))
        }
        23 => {
            let one = block(random, shape, depth);
            let one = handed_on(random, shape, one);
            let other = if random.chance(50) { block(random, shape, depth) } else { Vec::new() };
            Statement::Branch(one, other)
        }
        26 | 27 if shape.spice.stages => {
            let body = block(random, shape, depth);
            stage(random, body)
        }
        24 if random.chance(30) => Statement::Compare(pair),
        25 if random.chance(30) => Statement::Return,
        24 => Statement::Free(random.pick(&[Side::Host(pair), Side::Device(pair)])),
        _ => host(random, shape, pair, HostWork::Read),
    }
}

fn kernel(random: &mut Random, shape: &Shape, pair: usize, other: usize) -> Kernel {
    let spice = &shape.spice;
    match random.below(if spice.kernels || spice.lambdas { 20 } else { 8 }) {
        0..=2 => Kernel::Update(pair),
        3 => Kernel::Ramp(pair),
        4 => Kernel::Half(pair),
        5 => Kernel::Touch(pair),
        6 if other != pair => Kernel::Map(pair, other),
        7 if other != pair => Kernel::Add(pair, other),
        8 => Kernel::Clamp(pair),
        9 => Kernel::View(pair),
        10 => Kernel::Tail(pair),
        11 if spice.lambdas => Kernel::Lambda(pair),
        11 => Kernel::Functor(pair),
        12 if other != pair => Kernel::Total(pair, other),
        13 if other != pair => Kernel::Gather(pair, other),
        14..20 => Kernel::Form(random.pick(&KernelForm::ALL), pair),
        _ => Kernel::Update(pair),
    }
}

fn stage(random: &mut Random, body: Vec<Statement>) -> Statement {
    let how = random.pick(&[
        Stage::Function,
        Stage::Function,
        Stage::Template,
        Stage::Lambda,
        Stage::Block,
    ]);
    Statement::Stage(how, body)
}

fn block(random: &mut Random, shape: &Shape, depth: usize) -> Vec<Statement> {
    let count = 1 + random.below(4);
    let mut body: Vec<Statement> =
        (0..count).map(|_| statement(random, shape, depth + 1)).collect();
    if shape.spice.stages && random.chance(30) {
        // Printed as an early exit where the block allows one.
        let rest = (0..1 + random.below(2)).map(|_| statement(random, shape, depth + 1)).collect();
        body.push(Statement::Branch(Vec::new(), rest));
    }
    body
}
