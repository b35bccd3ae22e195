//! Random programs. They need not make sense: [`crate::repair`] makes them race-free and defined.

use crate::program::{
    HostKind, HostWork, Kernel, Pair, Part, Program, Reach, Side, Statement, Stream, Style, Wait,
};
use crate::random::Random;

/// A program, not repaired.
pub(crate) fn generate(random: &mut Random) -> Program {
    let pairs = (0..random.pick(&[1, 1, 1, 2, 2, 3])).map(|_| pair(random)).collect::<Vec<_>>();
    let streams = (0..random.pick(&[0, 0, 1, 1, 2]))
        .map(|_| Stream { non_blocking: random.chance(35) })
        .collect::<Vec<_>>();
    let style = Style {
        check: random.chance(25),
        helpers: random.chance(20),
        fields: random.chance(15),
        int: random.chance(50),
        rounds: random.chance(10),
    };
    let mut body = Vec::new();
    for index in order(random, pairs.len() * 2) {
        let side = if index % 2 == 0 { Side::Host(index / 2) } else { Side::Device(index / 2) };
        // The others are allocated where they are first needed.
        if random.chance(75) {
            body.push(Statement::Allocate(side));
        }
    }
    let shape = Shape { pairs: pairs.len(), streams: streams.len() };
    if random.chance(60) {
        body.extend(round_trip(random, &shape, 0));
    }
    let statements = 3 + random.below(9);
    for _ in 0..statements {
        body.push(statement(random, &shape, 0));
    }
    if random.chance(80) {
        let pair = random.below(pairs.len());
        body.push(copy(random, &shape, Side::Host(pair), Side::Device(pair)));
        body.push(host(random, pair, HostWork::Read));
    }
    for index in order(random, pairs.len() * 2) {
        let side = if index % 2 == 0 { Side::Host(index / 2) } else { Side::Device(index / 2) };
        if random.chance(92) {
            body.push(Statement::Free(side));
        }
    }
    Program { elements: random.pick(&[64, 96, 130, 200]), pairs, streams, body, style }
}

struct Shape {
    pairs: usize,
    streams: usize,
}

fn pair(random: &mut Random) -> Pair {
    let host = random.pick(&[
        HostKind::Malloc,
        HostKind::Malloc,
        HostKind::Malloc,
        HostKind::Malloc,
        HostKind::Calloc,
        HostKind::New,
        HostKind::New,
        HostKind::Pinned,
    ]);
    Pair { host, size: random.below(5) }
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
    let mut body = vec![host(random, pair, HostWork::Fill)];
    body.push(copy(random, shape, device_side, host_side));
    let stream = stream(random, shape);
    body.push(Statement::Launch(random.pick(&[Kernel::Update(pair), Kernel::Touch(pair)]), stream));
    if random.chance(70) {
        body.push(copy(random, shape, host_side, device_side));
        body.push(host(random, pair, HostWork::Read));
    }
    body
}

fn host(random: &mut Random, pair: usize, work: HostWork) -> Statement {
    let part = random.pick(&[Part::Whole, Part::Whole, Part::Whole, Part::Lower, Part::Upper]);
    let reach = random.pick(&[Reach::Loop, Reach::Loop, Reach::Alias, Reach::Function]);
    Statement::Host { pair, work, part, reach }
}

fn copy(random: &mut Random, shape: &Shape, to: Side, from: Side) -> Statement {
    let part =
        if random.chance(88) { Part::Whole } else { random.pick(&[Part::Lower, Part::Upper]) };
    let stream = random.chance(25).then(|| stream(random, shape));
    Statement::Copy { to, from, part, stream, default: random.chance(8) }
}

fn stream(random: &mut Random, shape: &Shape) -> usize {
    if random.chance(45) { 0 } else { random.below(shape.streams + 1) }
}

fn statement(random: &mut Random, shape: &Shape, depth: usize) -> Statement {
    let pair = random.below(shape.pairs);
    let other = random.below(shape.pairs);
    match random.below(if depth == 0 { 26 } else { 21 }) {
        0 | 1 => host(random, pair, HostWork::Fill),
        2 => host(random, pair, HostWork::Update),
        3..=5 => host(random, pair, HostWork::Read),
        6 => host(random, pair, HostWork::Clear),
        7..=9 => copy(random, shape, Side::Device(pair), Side::Host(pair)),
        10..=12 => copy(random, shape, Side::Host(pair), Side::Device(pair)),
        13 if other != pair => match random.below(4) {
            0 => Statement::HostCopy(pair, other),
            1 => copy(random, shape, Side::Device(pair), Side::Device(other)),
            2 => copy(random, shape, Side::Device(pair), Side::Host(other)),
            _ => copy(random, shape, Side::Host(pair), Side::Device(other)),
        },
        13..=17 => {
            let kernel = match random.below(8) {
                0..=2 => Kernel::Update(pair),
                3 => Kernel::Ramp(pair),
                4 => Kernel::Half(pair),
                5 => Kernel::Touch(pair),
                6 if other != pair => Kernel::Map(pair, other),
                _ if other != pair => Kernel::Add(pair, other),
                _ => Kernel::Update(pair),
            };
            Statement::Launch(kernel, stream(random, shape))
        }
        18 => Statement::Memset(pair, random.chance(40).then(|| stream(random, shape))),
        19 => {
            let stream = stream(random, shape);
            Statement::Wait(random.pick(&[Wait::Device, Wait::Stream(stream), Wait::Event(stream)]))
        }
        20 => Statement::StreamWait(stream(random, shape), stream(random, shape)),
        21 | 22 => Statement::Loop(2 + random.below(2) as u32, block(random, shape, depth)),
        23 => {
            let one = block(random, shape, depth);
            let other = if random.chance(50) { block(random, shape, depth) } else { Vec::new() };
            Statement::Branch(one, other)
        }
        24 if random.chance(30) => Statement::Compare(pair),
        25 if random.chance(30) => Statement::Return,
        24 => Statement::Free(random.pick(&[Side::Host(pair), Side::Device(pair)])),
        _ => host(random, pair, HostWork::Read),
    }
}

fn block(random: &mut Random, shape: &Shape, depth: usize) -> Vec<Statement> {
    let count = 1 + random.below(4);
    (0..count).map(|_| statement(random, shape, depth + 1)).collect()
}
