//! Runs the threads of one block on fibers, warp by warp. A thread runs until it waits (barrier, warp operation, grid
//! barrier) or ends. A kernel in which no thread can wait has its own loop over the threads of a block and needs no
//! fiber.

use std::cell::UnsafeCell;

use crate::config::config;
use crate::fiber::{Fiber, start, switch};
use crate::warp;

/// Three unsigned numbers, as `dim3` and `uint3` are passed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(C)]
pub struct Triple {
    /// Fastest index.
    pub x: u32,
    /// Middle index.
    pub y: u32,
    /// Slowest index.
    pub z: u32,
}

impl Triple {
    pub(crate) const fn count(self) -> u64 {
        self.x as u64 * self.y as u64 * self.z as u64
    }
}

/// The built-in variables of device code, which refer to these symbols.
#[allow(non_upper_case_globals, reason = "CUDA names verbatim")]
#[unsafe(no_mangle)]
pub static mut threadIdx: Triple = Triple { x: 0, y: 0, z: 0 };
/// See `threadIdx`.
#[allow(non_upper_case_globals, reason = "CUDA names verbatim")]
#[unsafe(no_mangle)]
pub static mut blockIdx: Triple = Triple { x: 0, y: 0, z: 0 };
/// See `threadIdx`.
#[allow(non_upper_case_globals, reason = "CUDA names verbatim")]
#[unsafe(no_mangle)]
pub static mut blockDim: Triple = Triple { x: 1, y: 1, z: 1 };
/// See `threadIdx`.
#[allow(non_upper_case_globals, reason = "CUDA names verbatim")]
#[unsafe(no_mangle)]
pub static mut gridDim: Triple = Triple { x: 1, y: 1, z: 1 };

/// What a thread is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum State {
    Unstarted,
    Ready,
    Barrier,
    Warp,
    GridBarrier,
    Done,
}

/// One thread of the block.
#[derive(Clone)]
pub(crate) struct Lane {
    pub(crate) state: State,
    fiber: *mut Fiber,
    /// What it brings to a barrier that counts.
    predicate: bool,
}

/// Calls a kernel for each thread of a block with that many threads along x, y and z.
pub(crate) type PlainBlock = unsafe extern "C" fn(*const *const u8, u32, u32, u32);

/// What a kernel is to this module.
#[derive(Clone, Copy)]
pub(crate) struct Entry {
    /// Calls the kernel with arguments taken from an array of pointers to them.
    pub(crate) thunk: unsafe extern "C" fn(*const *const u8),
    /// The same for a whole block, if no thread of it can wait.
    pub(crate) block: Option<PlainBlock>,
    /// That array.
    pub(crate) arguments: *const *const u8,
}

/// How far a block came.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// All threads ended.
    Finished,
    /// All threads that did not end wait for the grid.
    AtGridBarrier,
}

struct Machine {
    lanes: Vec<Lane>,
    count: usize,
    /// The warp that runs: first lane, end, next lane to start, and the lanes whose turn comes after the running one.
    warp_first: usize,
    warp_end: usize,
    next: usize,
    turns: u32,
    current: usize,
    fiber: *mut Fiber,
    scheduler: *mut usize,
    pool: Vec<*mut Fiber>,
    entry: Option<Entry>,
    reverse: bool,
    /// Result of the last counting barrier: how many threads said yes, of how many.
    yes: u32,
    voters: u32,
    warp: warp::Lanes,
    resolved: warp::Table,
    fibers: usize,
}

struct Cell(UnsafeCell<Machine>);
// SAFETY: one thread; see `global`.
unsafe impl Sync for Cell {}

static MACHINE: Cell = Cell(UnsafeCell::new(Machine {
    lanes: Vec::new(),
    count: 0,
    warp_first: 0,
    warp_end: 0,
    next: 0,
    turns: 0,
    current: 0,
    fiber: std::ptr::null_mut(),
    scheduler: std::ptr::null_mut(),
    pool: Vec::new(),
    entry: None,
    reverse: false,
    yes: 0,
    voters: 0,
    warp: warp::Lanes::NONE,
    resolved: warp::Table { values: [0; 32], active: [0; 32] },
    fibers: 0,
}));

// A reference to the machine must not live across a switch; hence a pointer.
fn machine() -> *mut Machine {
    MACHINE.0.get()
}

/// Sets the built-in variables of a grid.
pub(crate) fn enter_grid(grid: Triple, block: Triple) {
    // SAFETY: plain stores; no fiber runs now.
    unsafe {
        gridDim = grid;
        blockDim = block;
        (*machine()).reverse = config().reverse_threads;
    }
}

/// Number of the running thread in its block.
pub(crate) fn rank() -> u32 {
    // SAFETY: plain loads.
    unsafe {
        let (at, size) = (threadIdx, blockDim);
        at.x + size.x * (at.y + size.y * at.z)
    }
}

/// Runs block number `index` of the grid from its start.
pub(crate) fn run(entry: Entry, index: u64) -> Outcome {
    // SAFETY: no fiber runs now.
    unsafe {
        let machine = machine();
        let count = set_block(index);
        if let Some(block) = entry.block
            && !(*machine).reverse
        {
            let threads = blockDim;
            block(entry.arguments, threads.x, threads.y, threads.z);
            return Outcome::Finished;
        }
        (*machine).count = count;
        (*machine).entry = Some(entry);
        let idle = Lane { state: State::Unstarted, fiber: std::ptr::null_mut(), predicate: false };
        (*machine).lanes.clear();
        (*machine).lanes.resize(count, idle);
        run_to_grid_barrier(machine)
    }
}

/// Takes the threads of a block that waits for the grid out of the machine.
pub(crate) fn suspend() -> Vec<Lane> {
    // SAFETY: no fiber runs now.
    unsafe { std::mem::take(&mut (*machine()).lanes) }
}

/// Goes on with block `index`, whose threads waited for the grid.
pub(crate) fn resume(entry: Entry, index: u64, lanes: Vec<Lane>) -> Outcome {
    // SAFETY: no fiber runs now.
    unsafe {
        let machine = machine();
        (*machine).count = set_block(index);
        (*machine).entry = Some(entry);
        (*machine).lanes = lanes;
        let lanes = &mut (*machine).lanes;
        for lane in lanes.iter_mut().filter(|lane| lane.state == State::GridBarrier) {
            lane.state = State::Ready;
        }
        run_to_grid_barrier(machine)
    }
}

unsafe fn set_block(index: u64) -> usize {
    // SAFETY: plain loads and stores; no fiber runs now.
    unsafe {
        let (x, y) = (u64::from(gridDim.x), u64::from(gridDim.y));
        blockIdx = Triple {
            x: (index % x) as u32,
            y: (index / x % y) as u32,
            z: (index / (x * y)) as u32,
        };
        let block = blockDim;
        block.count() as usize
    }
}

unsafe fn run_to_grid_barrier(machine: *mut Machine) -> Outcome {
    // SAFETY: the caller's promise that no fiber runs; each access is a short one.
    unsafe {
        loop {
            let warps = (*machine).count.div_ceil(32);
            for nth in 0..warps {
                let warp = if (*machine).reverse { warps - 1 - nth } else { nth };
                run_warp(machine, warp * 32);
            }
            let lanes = &mut (*machine).lanes;
            let waiting = lanes.iter().filter(|lane| lane.state == State::Barrier);
            (*machine).voters = waiting.clone().count() as u32;
            if (*machine).voters == 0 {
                let grid = lanes.iter().any(|lane| lane.state == State::GridBarrier);
                return if grid { Outcome::AtGridBarrier } else { Outcome::Finished };
            }
            (*machine).yes = waiting.filter(|lane| lane.predicate).count() as u32;
            for lane in lanes.iter_mut().filter(|lane| lane.state == State::Barrier) {
                lane.state = State::Ready;
            }
        }
    }
}

// Runs the lanes of a warp until each waits for more than its warp, or has ended.
unsafe fn run_warp(machine: *mut Machine, first: usize) {
    // SAFETY: as above.
    unsafe {
        let end = (first + 32).min((*machine).count);
        (*machine).warp_first = first;
        (*machine).warp_end = end;
        (*machine).next = first;
        (*machine).turns = 0;
        let (mut ready, mut ended) = (0, 0);
        for (index, lane) in (&(*machine).lanes)[first..end].iter().enumerate() {
            ready |= u32::from(lane.state == State::Ready) << index;
            ended |= u32::from(lane.state == State::Done) << index;
        }
        (*machine).warp.enter(ready, ended);
        loop {
            (*machine).turns = std::mem::take(&mut (*machine).warp.ready);
            if (*machine).turns != 0 || next_unstarted(machine).is_some() {
                pass_on(machine, &raw mut (*machine).scheduler);
            } else if !(*machine).warp.resolve(&mut (*machine).resolved) {
                return;
            }
        }
    }
}

// The lane of the running warp that starts next.
unsafe fn next_unstarted(machine: *mut Machine) -> Option<usize> {
    // SAFETY: as above.
    unsafe {
        let (nth, first, end) = ((*machine).next, (*machine).warp_first, (*machine).warp_end);
        if nth >= end {
            return None;
        }
        let lane = if (*machine).reverse { end - 1 - (nth - first) } else { nth };
        ((&(*machine).lanes)[lane].state == State::Unstarted).then_some(lane)
    }
}

// Goes on with the lane whose turn it is, starts the next one if all had theirs, and goes back to the scheduler after the
// last. Where one lane follows another at the same wait, the processor predicts both returns, which it cannot on a way
// through the scheduler.
unsafe fn pass_on(machine: *mut Machine, save: *mut *mut usize) {
    // SAFETY: the lanes with a turn are suspended, and fibers in the pool are not in use; nothing of the caller is
    // borrowed across the switch.
    unsafe {
        let turns = (*machine).turns;
        if turns != 0 {
            let lane = if (*machine).reverse { turns.ilog2() } else { turns.trailing_zeros() };
            (*machine).turns = turns & !(1 << lane);
            let to = enter_lane(machine, (*machine).warp_first + lane as usize);
            switch(save, to);
        } else if let Some(lane) = next_unstarted(machine) {
            let fiber = (*machine).pool.pop().unwrap_or_else(|| {
                (*machine).fibers += 1;
                Box::into_raw(Box::new(Fiber::new((*machine).fibers)))
            });
            start_lane(machine, lane, fiber);
            start(save, (*fiber).top(), fiber_main);
        } else {
            switch(save, (*machine).scheduler);
        }
    }
}

// Makes a lane that has not started the running one, on that fiber.
unsafe fn start_lane(machine: *mut Machine, lane: usize, fiber: *mut Fiber) {
    // SAFETY: plain stores.
    unsafe {
        (*machine).next += 1;
        (&mut (*machine).lanes)[lane].fiber = fiber;
        enter_lane(machine, lane);
    }
}

// Makes a lane the running one; gives where its fiber goes on.
unsafe fn enter_lane(machine: *mut Machine, lane: usize) -> *mut usize {
    // SAFETY: plain loads and stores; the lane has a fiber.
    unsafe {
        (*machine).current = lane;
        let entered = &mut (&mut (*machine).lanes)[lane];
        entered.state = State::Ready;
        let fiber = entered.fiber;
        (*machine).fiber = fiber;
        let (x, y) = (blockDim.x, blockDim.y);
        let lane = lane as u32;
        threadIdx = if lane < x {
            Triple { x: lane, y: 0, z: 0 }
        } else {
            Triple { x: lane % x, y: lane / x % y, z: lane / (x * y) }
        };
        (*fiber).stack_pointer
    }
}

extern "C" fn fiber_main() -> ! {
    loop {
        // SAFETY: this fiber runs `current`; pointers are re-read after the kernel, which may have switched.
        unsafe {
            let machine = machine();
            if let Some(entry) = (*machine).entry {
                (entry.thunk)(entry.arguments);
            }
            let lane = (*machine).current;
            let fiber = (&(*machine).lanes)[lane].fiber;
            (&mut (*machine).lanes)[lane].state = State::Done;
            (*machine).warp.ended |= 1 << (lane % 32);
            (&mut (*machine).lanes)[lane].fiber = std::ptr::null_mut();
            if let Some(next) = next_unstarted(machine) {
                start_lane(machine, next, fiber);
                continue;
            }
            (*machine).pool.push(fiber);
            pass_on(machine, &raw mut (*fiber).stack_pointer);
        }
    }
}

// Suspends the running thread in `state`.
unsafe fn wait(state: State) {
    // SAFETY: called from a fiber; no reference to the machine lives across the switch.
    unsafe {
        let machine = machine();
        let lane = (*machine).current;
        (&mut (*machine).lanes)[lane].state = state;
        let fiber = (*machine).fiber;
        pass_on(machine, &raw mut (*fiber).stack_pointer);
    }
}

/// `__syncthreads()`.
#[unsafe(no_mangle)]
pub extern "C" fn echo_syncthreads() {
    // SAFETY: called by a kernel.
    unsafe { wait(State::Barrier) }
}

/// `__syncthreads_count`, `_or` and `_and` (operation 0, 1, 2).
#[unsafe(no_mangle)]
pub extern "C" fn echo_syncthreads_vote(predicate: i32, operation: i32) -> i32 {
    // SAFETY: called by a kernel; the counts are read before any other barrier can change them.
    unsafe {
        let machine = machine();
        let lane = (*machine).current;
        (&mut (*machine).lanes)[lane].predicate = predicate != 0;
        wait(State::Barrier);
        let (yes, voters) = ((*machine).yes, (*machine).voters);
        (&mut (*machine).lanes)[lane].predicate = false;
        match operation {
            0 => yes as i32,
            1 => i32::from(yes > 0),
            _ => i32::from(yes == voters),
        }
    }
}

/// Waits for the whole grid, in a cooperative launch.
#[unsafe(no_mangle)]
pub extern "C" fn echo_grid_sync() {
    // SAFETY: called by a kernel.
    unsafe { wait(State::GridBarrier) }
}

/// A warp operation: `value` of each lane becomes visible to the lanes in `mask` that do the same `kind`. Gives the
/// values by lane and which lanes took part.
#[unsafe(no_mangle)]
pub extern "C" fn echo_warp(mask: u32, kind: u32, value: u64) -> warp::Answer {
    // SAFETY: called by a kernel; the answer is read before the next resolution of this warp can change it.
    unsafe {
        let machine = machine();
        let lane = (*machine).current;
        let offer = warp::Offer { mask, kind, value };
        (*machine).warp.offer(lane % 32, offer);
        wait(State::Warp);
        let table = &(*machine).resolved;
        warp::Answer { values: table.values.as_ptr(), active: u64::from(table.active[lane % 32]) }
    }
}
