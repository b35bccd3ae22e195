//! Happens-before race detector over host and device accesses, byte by byte. It reports conflicting accesses that
//! nothing orders in this run, whatever the schedule happened to do with them.
//!
//! Every operation, and every stretch of host code between two submissions, is an *event* of an actor (the host is
//! actor 0, stream i is actor i + 1) with a clock. A byte remembers the event that wrote it last and the set of events
//! that read it since. Races inside one kernel are not looked for.

use std::collections::{BTreeMap, BTreeSet};

use crate::arena::{self, Kind, RANGE};
use crate::global::Global;
use crate::trap::Trap;

/// What is known of one byte: the last write (bit 31: the value itself is undefined) and the reads since.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(C)]
struct Cell {
    write: u32,
    readers: u32,
}

const UNDEFINED: u32 = 1 << 31;
// A reader word with this bit names a set of two or more events.
const SET: u32 = 1 << 31;

struct Event {
    actor: u32,
    clock: u32,
    name: String,
}

struct Detector {
    level: u8,
    shadow: usize,
    events: Vec<Event>,
    now: u32,
    clock: Vec<u32>,
    kernel: bool,
    sets: Vec<Vec<u32>>,
    known_sets: BTreeMap<Vec<u32>, u32>,
    reported: BTreeSet<String>,
}

// Event 0 means "nobody".
static DETECTOR: Global<Detector> = Global::new(Detector {
    level: 0,
    shadow: 0,
    events: Vec::new(),
    now: 0,
    clock: Vec::new(),
    kernel: false,
    sets: Vec::new(),
    known_sets: BTreeMap::new(),
    reported: BTreeSet::new(),
});

static ON: std::sync::atomic::AtomicBool = std::sync::atomic::AtomicBool::new(false);

const MOST_REPORTS: usize = 20;

/// Switches detection on (1: races, 2: undefined reads too) or off (0).
pub(crate) fn start(level: u8) {
    let mut detector = DETECTOR.get();
    detector.level = level;
    if level > 0 && detector.shadow == 0 {
        // SAFETY: a fresh anonymous mapping, filled with zeros by the kernel.
        let shadow = unsafe {
            libc::mmap(
                std::ptr::null_mut(),
                RANGE * 4 * size_of::<Cell>(),
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE,
                -1,
                0,
            )
        };
        assert!(shadow != libc::MAP_FAILED, "no address space for the race detector");
        detector.shadow = shadow as usize;
        let nobody = Event { actor: 0, clock: 0, name: String::new() };
        let beginning = Event { actor: 0, clock: 1, name: "host".to_owned() };
        detector.events = vec![nobody, beginning];
        detector.now = 1;
        detector.clock = vec![1];
    }
    ON.store(level > 0, std::sync::atomic::Ordering::Relaxed);
}

/// Whether accesses are recorded.
#[inline]
pub(crate) fn on() -> bool {
    ON.load(std::sync::atomic::Ordering::Relaxed)
}

/// Where a library may look whether accesses have to be told: whether detection is on.
pub(crate) fn is_on_place() -> *const std::sync::atomic::AtomicBool {
    &raw const ON
}

/// A new event of an actor; 0 where detection is off.
pub(crate) fn event(actor: usize, clock: u32, name: &str) -> u32 {
    if !on() {
        return 0;
    }
    let mut detector = DETECTOR.get();
    detector.events.push(Event { actor: actor as u32, clock, name: name.to_owned() });
    (detector.events.len() - 1) as u32
}

/// Who acts now: accesses that follow belong to `event`, which knows of everything in `clock`.
/// Gives back who acted before.
pub(crate) fn act(event: u32, clock: Vec<u32>, kernel: bool) -> (u32, Vec<u32>, bool) {
    let mut detector = DETECTOR.get();
    let before = (detector.now, std::mem::take(&mut detector.clock), detector.kernel);
    detector.now = event;
    detector.clock = clock;
    detector.kernel = kernel;
    before
}

/// Records an access of `bytes` bytes.
#[inline]
pub(crate) fn access(address: usize, bytes: usize, write: bool) {
    if on() && arena::contains(address) {
        DETECTOR.get().access(address, bytes, write);
    }
}

/// Records that bytes are read to be put elsewhere: undefined ones are let pass.
pub(crate) fn read_to_copy(address: usize, bytes: usize) {
    if !on() {
        return;
    }
    let mut detector = DETECTOR.get();
    let level = std::mem::replace(&mut detector.level, 1);
    if arena::contains(address) {
        detector.access(address, bytes, false);
    }
    detector.level = level;
}

/// Records a copy: a read, a write, and that undefined bytes stay undefined.
pub(crate) fn copy(to: usize, from: usize, bytes: usize) {
    if !on() {
        return;
    }
    let mut detector = DETECTOR.get();
    let level = std::mem::replace(&mut detector.level, 1);
    let (known_from, known_to) = (arena::contains(from), arena::contains(to));
    if known_from {
        detector.access(from, bytes, false);
    }
    if known_to {
        detector.access(to, bytes, true);
    }
    if known_from && known_to {
        // The premise is stated for reads; copying an undefined byte observes nothing.
        for offset in 0..bytes {
            let undefined = detector.cell(from + offset).is_undefined();
            if undefined {
                detector.cell(to + offset).write |= UNDEFINED;
            }
        }
    }
    detector.level = level;
}

/// 0, or the code of a race if one was reported.
pub(crate) fn exit_code() -> i32 {
    if DETECTOR.get().reported.is_empty() { 0 } else { Trap::Race as i32 }
}

/// Prints how many reports were held back.
pub(crate) fn print_summary() {
    let more = DETECTOR.get().reported.len().saturating_sub(MOST_REPORTS);
    if more > 0 {
        print(&format!("ECHO-RACE {more} more"));
    }
}

/// Prints a line on standard error without buffering.
pub(crate) fn print(line: &str) {
    let text = format!("{line}\n");
    // SAFETY: the text is valid for its length.
    unsafe { libc::syscall(libc::SYS_write, 2, text.as_ptr(), text.len()) };
}

impl Cell {
    fn is_undefined(self) -> bool {
        self.write == 0 || self.write & UNDEFINED != 0
    }
}

impl Detector {
    fn cell(&mut self, address: usize) -> &mut Cell {
        let place = self.shadow + (address - arena::base()) * size_of::<Cell>();
        // SAFETY: the shadow has a cell for each byte of the arenas, and only this module has its address.
        unsafe { &mut *(place as *mut Cell) }
    }

    fn access(&mut self, address: usize, bytes: usize, write: bool) {
        // A kernel's use of memory that only the host may use is a trap, not a race.
        if self.kernel
            && arena::kind_of(address) == Kind::Host
            && !arena::shared_with_device(address)
        {
            return;
        }
        let mut last: Option<(Cell, Cell)> = None;
        for place in address..address + bytes {
            if !arena::contains(place) {
                break;
            }
            let cell = *self.cell(place);
            let fresh = match last {
                Some((seen, fresh)) if seen == cell => fresh,
                _ => {
                    let fresh = self.step(place, cell, write);
                    last = Some((cell, fresh));
                    fresh
                }
            };
            if fresh != cell {
                *self.cell(place) = fresh;
            }
        }
    }

    fn step(&mut self, address: usize, cell: Cell, write: bool) -> Cell {
        let writer = cell.write & !UNDEFINED;
        if writer != 0 && !self.ordered(writer) {
            let what = if write { "write-write race" } else { "write-read race" };
            self.report(what, writer, address);
        }
        if write {
            if cell.readers & SET == 0 {
                self.check_reader(cell.readers, address);
            } else {
                for reader in self.sets[(cell.readers & !SET) as usize].clone() {
                    self.check_reader(reader, address);
                }
            }
            return Cell { write: self.now, readers: 0 };
        }
        let mut write = cell.write;
        if self.level > 1 && cell.is_undefined() {
            self.report("undefined read", 0, address);
            write = if writer == 0 { self.now } else { writer };
        }
        Cell { write, readers: self.with_reader(cell.readers) }
    }

    fn check_reader(&mut self, reader: u32, address: usize) {
        if reader != 0 && !self.ordered(reader) {
            self.report("read-write race", reader, address);
        }
    }

    fn ordered(&self, event: u32) -> bool {
        let event = &self.events[event as usize];
        self.clock.get(event.actor as usize).is_some_and(|&clock| event.clock <= clock)
    }

    /// The readers with this event added; those that happen before it need not be kept, since whatever is ordered
    /// after this event is ordered after them.
    fn with_reader(&mut self, readers: u32) -> u32 {
        let now = self.now;
        if readers == 0 || readers == now {
            return now;
        }
        if readers & SET == 0 {
            return if self.ordered(readers) { now } else { self.intern(vec![readers, now]) };
        }
        let set = &self.sets[(readers & !SET) as usize];
        if set.contains(&now) {
            return readers;
        }
        let mut kept: Vec<u32> =
            set.iter().copied().filter(|&event| !self.ordered(event)).collect();
        if kept.is_empty() {
            return now;
        }
        kept.push(now);
        self.intern(kept)
    }

    fn intern(&mut self, mut set: Vec<u32>) -> u32 {
        set.sort_unstable();
        if let Some(&known) = self.known_sets.get(&set) {
            return known | SET;
        }
        let index = self.sets.len() as u32;
        self.sets.push(set.clone());
        self.known_sets.insert(set, index);
        index | SET
    }

    fn report(&mut self, what: &str, other: u32, address: usize) {
        let name = |event: u32| {
            let name = &self.events[event as usize].name;
            if name.is_empty() { "host" } else { name }
        };
        let block = arena::find(address);
        let place = block.as_ref().map_or_else(
            || "unknown memory".to_owned(),
            |block| format!("{} allocation #{}", block.kind.name(), block.id),
        );
        let text = if other == 0 {
            format!("{what}: {} of {place}", name(self.now))
        } else {
            format!("{what}: {} then {} on {place}", name(other), name(self.now))
        };
        let fresh = self.reported.insert(text.clone());
        if fresh && self.reported.len() <= MOST_REPORTS {
            let offset = block.map_or(0, |block| address as i64 - block.base as i64);
            print(&format!("ECHO-RACE {text}, offset {offset}"));
        }
    }
}
