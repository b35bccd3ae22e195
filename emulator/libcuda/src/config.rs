//! What the environment of the process asks for. A run is a function of the program, its input and this.

use crate::global::Global;

/// When operations run, among the orders CUDA allows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Schedule {
    /// At once: hides nothing that needs a deferred operation, gives reference values.
    Eager,
    /// Only what the host waits for, when it waits: shows missing and wrong synchronization.
    Late,
    /// As late, but every other stream first: shows a lean on the order of streams.
    OthersFirst,
    /// At every call a few operations that are ready, kernels also in part.
    Random,
}

/// All knobs. `ECHO_<NAME>` sets each.
#[derive(Debug, Clone)]
pub(crate) struct Config {
    /// `ECHO_SCHED=eager|late|others|rand`.
    pub(crate) schedule: Schedule,
    /// `ECHO_SEED`: random schedule and poison.
    pub(crate) seed: u64,
    /// `ECHO_CMA`: whether the host may touch managed memory while the device works.
    pub(crate) concurrent_managed_access: bool,
    /// `ECHO_RACE`: 0 no detector, 1 races, 2 also reads of bytes nobody wrote.
    pub(crate) race: u8,
    /// `ECHO_PROT`: page protection of device, host and freed memory.
    pub(crate) protect: bool,
    /// `ECHO_POISON`: fill fresh memory with a pattern that depends on seed and allocation.
    pub(crate) poison: bool,
    /// `ECHO_TRACE`: print operations as they are submitted and run.
    pub(crate) trace: bool,
    /// `ECHO_PAGEABLE_ASYNC`: an asynchronous copy with a pageable end reads or writes it when it runs
    /// (allowed by R-27); 0 = the host waits, as hardware mostly does.
    pub(crate) pageable_async: bool,
    /// `ECHO_PAGEABLE`: kernels may use all memory of the host (`pageableMemoryAccess`).
    pub(crate) pageable_access: bool,
    /// `ECHO_FREESYNC`: cudaFree waits for the device (it does on hardware; documented as "may").
    pub(crate) free_waits: bool,
    /// `ECHO_THREADORDER=1`: threads and lanes in descending order.
    pub(crate) reverse_threads: bool,
    /// `ECHO_HOSTARENA`: serve the program's own heap calls from guarded pages.
    pub(crate) host_arena: bool,
    /// `ECHO_DEVICE_MB`: size of device memory; more is out of memory.
    pub(crate) device_bytes: u64,
}

static CONFIG: Global<Config> = Global::new(Config {
    schedule: Schedule::Eager,
    seed: 1,
    concurrent_managed_access: true,
    race: 0,
    protect: true,
    poison: true,
    trace: false,
    pageable_async: true,
    pageable_access: false,
    free_waits: true,
    reverse_threads: false,
    host_arena: true,
    device_bytes: 8 << 30,
});

/// The knobs in force.
pub(crate) fn config() -> std::cell::RefMut<'static, Config> {
    CONFIG.get()
}

/// Reads the environment. Values that do not parse leave the default.
pub(crate) fn read_environment() {
    let mut config = config();
    if let Ok(name) = std::env::var("ECHO_SCHED")
        && let Some(schedule) = schedule_named(&name)
    {
        config.schedule = schedule;
    }
    let number = |name: &str, default: u64| {
        std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
    };
    config.seed = number("ECHO_SEED", config.seed);
    config.concurrent_managed_access = number("ECHO_CMA", 1) != 0;
    config.race = number("ECHO_RACE", 0).min(2) as u8;
    config.protect = number("ECHO_PROT", 1) != 0;
    config.poison = number("ECHO_POISON", 1) != 0;
    config.trace = number("ECHO_TRACE", 0) != 0;
    config.pageable_async = number("ECHO_PAGEABLE_ASYNC", 1) != 0;
    config.pageable_access = number("ECHO_PAGEABLE", 0) != 0;
    config.free_waits = number("ECHO_FREESYNC", 1) != 0;
    config.reverse_threads = number("ECHO_THREADORDER", 0) != 0;
    config.host_arena = number("ECHO_HOSTARENA", 1) != 0;
    config.device_bytes = number("ECHO_DEVICE_MB", 8 << 10).min(14 << 10) << 20;
}

fn schedule_named(name: &str) -> Option<Schedule> {
    match name {
        "eager" => Some(Schedule::Eager),
        "late" => Some(Schedule::Late),
        "others" => Some(Schedule::OthersFirst),
        "rand" => Some(Schedule::Random),
        _ => None,
    }
}

/// Changes the run's configuration from inside the program: a batch forks one child per program and schedule, and the
/// child calls this first. `schedule`: 0 eager, 1 late, 2 others first, anything else random.
#[unsafe(no_mangle)]
pub extern "C" fn echo_configure(schedule: i32, seed: u64, concurrent: i32, race: i32) {
    crate::start::ensure();
    {
        let mut config = config();
        config.schedule = match schedule {
            0 => Schedule::Eager,
            1 => Schedule::Late,
            2 => Schedule::OthersFirst,
            _ => Schedule::Random,
        };
        config.seed = seed;
        config.concurrent_managed_access = concurrent != 0;
        config.race = race.clamp(0, 2) as u8;
    }
    crate::random::seed(seed);
    crate::race::start(race.clamp(0, 2) as u8);
}

/// The exit code that the findings so far ask for: 0 or that of a race.
#[unsafe(no_mangle)]
pub extern "C" fn echo_findings() -> i32 {
    crate::race::exit_code()
}
