//! Binary layouts shared by the tool and the preloaded object: control file, outcome page, trace.
//!
//! Everything is an array of little-endian 64-bit words, so that the preloaded object can read and
//! write it without allocation and the tool can decode it without `unsafe`.

/// Version of all three layouts; the preloaded object and the tool must agree exactly.
pub const VERSION: u64 = 1;
/// Most pairs that one plan may hold.
pub const MAX_RULES: usize = 64;
/// Bytes below which a buffer is never looked at (paper section 3.3.2, theta_min).
pub const DEFAULT_THRESHOLD: u64 = 200_000;

/// First word of a control file.
pub const CONTROL_MAGIC: u64 = u64::from_le_bytes(*b"ECHOCTL1");
/// First word of an outcome page.
pub const OUTCOME_MAGIC: u64 = u64::from_le_bytes(*b"ECHOOUT1");
/// First word of a trace file.
pub const TRACE_MAGIC: u64 = u64::from_le_bytes(*b"ECHOTRC1");

/// Environment variable with the path of the control file.
pub const ENV_CONTROL: &str = "ECHO_DR_CONTROL";
/// Environment variable with the path of the outcome page.
pub const ENV_OUTCOME: &str = "ECHO_DR_OUTCOME";
/// Environment variable with the path of the trace to write.
pub const ENV_TRACE: &str = "ECHO_DR_TRACE";
/// Kill switch: `ECHO_DR=off` makes the preloaded object pass everything through.
pub const ENV_SWITCH: &str = "ECHO_DR";

/// What the preloaded object does.
pub mod mode {
    /// Pass through.
    pub const OFF: u64 = 0;
    /// Phase 1: record a trace.
    pub const PROFILE: u64 = 1;
    /// Phase 2: guard host buffers while the GPU may use the pair.
    pub const VALIDATE: u64 = 2;
    /// Phase 3: merge.
    pub const OPTIMIZE: u64 = 3;
    /// Phase 2: run unchanged, but time rounds and (if asked) hash results.
    pub const OBSERVE: u64 = 4;
}

/// Word indices of a control file.
pub mod control {
    /// `CONTROL_MAGIC`.
    pub const MAGIC: usize = 0;
    /// `VERSION`.
    pub const VERSION: usize = 1;
    /// One of [`super::mode`].
    pub const MODE: usize = 2;
    /// Threshold in bytes.
    pub const THRESHOLD: usize = 3;
    /// Device number of the executable that may be touched, 0 for any.
    pub const EXE_DEV: usize = 4;
    /// Inode number of that executable.
    pub const EXE_INO: usize = 5;
    /// FNV-1a of `/proc/self/cmdline`, 0 for any.
    pub const ARGV_HASH: usize = 6;
    /// Bits of [`super::flag`].
    pub const FLAGS: usize = 7;
    /// Number of rules.
    pub const RULES: usize = 8;
    /// Driver version that must be met, 0 for any.
    pub const DRIVER: usize = 9;
    /// First and second half of the device UUID, both 0 for any.
    pub const UUID_LOW: usize = 10;
    /// Second half.
    pub const UUID_HIGH: usize = 11;
    /// Device ordinal.
    pub const ORDINAL: usize = 12;
    /// Index of the rule whose copies mark the rounds of the loop.
    pub const MARKER: usize = 13;
    /// 1 if that rule's uploads mark a round, 2 if its downloads do.
    pub const MARKER_DIRECTION: usize = 14;
    /// First rule.
    pub const FIRST_RULE: usize = 16;
    /// Words per rule.
    pub const RULE_WORDS: usize = 8;
    /// Words of the largest control file.
    pub const WORDS: usize = FIRST_RULE + super::MAX_RULES * RULE_WORDS;
    /// Within a rule: site of the host allocation.
    pub const RULE_HOST: usize = 0;
    /// Site of the device allocation.
    pub const RULE_DEVICE: usize = 1;
    /// Bytes.
    pub const RULE_BYTES: usize = 2;
    /// One of [`super::backend`].
    pub const RULE_BACKEND: usize = 3;
    /// Bits of [`super::rule_flag`].
    pub const RULE_FLAGS: usize = 4;
}

/// Bits of the control word `FLAGS`.
pub mod flag {
    /// Hash every downloaded buffer of a rule.
    pub const DIGEST: u64 = 1;
    /// Compare host and device content where a window closes (condition S1).
    pub const S1_CHECK: u64 = 2;
    /// Guard pages with PROT_NONE even where userfaultfd would work.
    pub const FORCE_PROTECT: u64 = 4;
    /// Windows span every launch to the next full wait (concurrentManagedAccess = 0).
    pub const EXCLUSIVE: u64 = 8;
    /// Unwind every time instead of using the slot-verified cache.
    pub const NO_SITE_CACHE: u64 = 16;
}

/// Bits of a rule's flags.
pub mod rule_flag {
    /// Copies host to device were seen.
    pub const UPLOADS: u64 = 1;
    /// Copies device to host were seen.
    pub const DOWNLOADS: u64 = 2;
    /// Every upload was made when no device work was unfinished.
    pub const UPLOAD_CLEAN: u64 = 4;
    /// Every download was made when no device work was unfinished.
    pub const DOWNLOAD_CLEAN: u64 = 8;
}

/// Memory kinds of a merged buffer.
pub mod backend {
    /// `cuMemAllocManaged`.
    pub const MANAGED: u64 = 1;
    /// `cuMemHostAlloc` with DEVICEMAP.
    pub const MAPPED: u64 = 2;
    /// Own pages, `cuMemHostRegister`.
    pub const REGISTERED: u64 = 3;
    /// Own pages, used by the device as they are.
    pub const SYSTEM: u64 = 4;
}

/// Word indices of an outcome page.
pub mod outcome {
    /// `OUTCOME_MAGIC`.
    pub const MAGIC: usize = 0;
    /// `VERSION`.
    pub const VERSION: usize = 1;
    /// Process that owns the page.
    pub const PID: usize = 2;
    /// One of [`super::state`].
    pub const STATE: usize = 3;
    /// One of [`super::reason`].
    pub const REASON: usize = 4;
    /// Copies skipped.
    pub const SKIPPED_COPIES: usize = 5;
    /// Bytes of skipped copies.
    pub const SKIPPED_BYTES: usize = 6;
    /// Waits made in place of skipped copies.
    pub const WAITS: usize = 7;
    /// Skipped copies that needed no wait.
    pub const WAITS_LEFT_OUT: usize = 8;
    /// Merged pairs created.
    pub const MERGED: usize = 9;
    /// Bytes of live merged buffers.
    pub const LIVE_BYTES: usize = 10;
    /// Highest value of `LIVE_BYTES`.
    pub const PEAK_BYTES: usize = 11;
    /// Times a planned buffer had to fall back to the original call.
    pub const FALLBACKS: usize = 12;
    /// Linking copies made by the original call.
    pub const REAL_COPIES: usize = 13;
    /// Their bytes.
    pub const REAL_BYTES: usize = 14;
    /// Their time in the driver, ns.
    pub const REAL_NS: usize = 15;
    /// Combined digest of downloads.
    pub const DIGEST: usize = 16;
    /// Number of digested downloads.
    pub const DIGESTS: usize = 17;
    /// 1 userfaultfd, 2 PROT_NONE.
    pub const GUARD: usize = 18;
    /// Time spent in hooks on tracked copies, ns.
    pub const HOOK_NS: usize = 19;
    /// Such copies.
    pub const HOOK_CALLS: usize = 20;
    /// Driver version.
    pub const DRIVER: usize = 21;
    /// First half of the device UUID.
    pub const UUID_LOW: usize = 22;
    /// Second half.
    pub const UUID_HIGH: usize = 23;
    /// Copies on merged memory that were not the planned ones.
    pub const UNPLANNED: usize = 24;
    /// Time of the preloaded object's start, ns (CLOCK_MONOTONIC).
    pub const STARTED: usize = 25;
    /// Time of the clean exit.
    pub const ENDED: usize = 26;
    /// First word of the rules.
    pub const FIRST_RULE: usize = 48;
    /// Words per rule.
    pub const RULE_WORDS: usize = 16;
    /// Host allocations that matched.
    pub const RULE_HOST: usize = 0;
    /// Device allocations that matched.
    pub const RULE_DEVICE: usize = 1;
    /// Linking copies seen.
    pub const RULE_COPIES: usize = 2;
    /// Copies skipped.
    pub const RULE_SKIPPED: usize = 3;
    /// Windows opened.
    pub const RULE_OPENED: usize = 4;
    /// Windows open now (the journal: what a crash leaves behind).
    pub const RULE_OPEN: usize = 5;
    /// Bits `1 << super::fault::*`.
    pub const RULE_FAULTS: usize = 6;
    /// Content comparisons made.
    pub const RULE_CHECKS: usize = 7;
    /// Windows closed.
    pub const RULE_CLOSED: usize = 10;
    /// Number of round marks ever made.
    pub const MARKS: usize = FIRST_RULE + super::MAX_RULES * RULE_WORDS;
    /// First round mark, ns; a ring.
    pub const FIRST_MARK: usize = MARKS + 1;
    /// Size of that ring.
    pub const MARK_SLOTS: usize = 4096;
    /// Words of the page.
    pub const WORDS: usize = FIRST_MARK + MARK_SLOTS;
}

/// Values of the outcome word `STATE`.
pub mod state {
    /// The object was loaded, nothing matched yet.
    pub const LOADED: u64 = 1;
    /// At least one planned buffer was seen.
    pub const ACTIVE: u64 = 2;
    /// The process ended in order.
    pub const ENDED: u64 = 3;
}

/// Values of the outcome word `REASON`: why the object passes through.
pub mod reason {
    /// It does not.
    pub const NONE: u64 = 0;
    /// Another executable.
    pub const EXECUTABLE: u64 = 1;
    /// Other arguments.
    pub const ARGUMENTS: u64 = 2;
    /// Another driver version.
    pub const DRIVER: u64 = 3;
    /// Another GPU.
    pub const DEVICE: u64 = 4;
    /// The control file cannot be used.
    pub const CONTROL: u64 = 5;
    /// Another process of the run already owns the page.
    pub const CLAIMED: u64 = 6;
    /// The trace cannot be written.
    pub const TRACE: u64 = 7;
    /// The memory kind could not be allocated.
    pub const BACKEND: u64 = 8;
}

/// Bit numbers of a rule's faults, in validation and in optimized runs.
pub mod fault {
    /// Host access inside a window.
    pub const HOST_ACCESS: u64 = 0;
    /// Host buffer handed to input or output inside a window (PROT_NONE guard only).
    pub const HOST_IO: u64 = 1;
    /// GPU changed an input that the host did not download (S1).
    pub const DEVICE_CHANGED_INPUT: u64 = 2;
    /// GPU changed the buffer outside every window (S1).
    pub const DEVICE_WROTE_OUTSIDE: u64 = 3;
    /// Device work was submitted while the host buffer differed from the device buffer (S1).
    pub const WORK_BEFORE_UPLOAD: u64 = 4;
    /// A copy, fill, registration, query or export that is not a linking copy.
    pub const FOREIGN_USE: u64 = 5;
    /// The host buffer was freed or reallocated inside a window.
    pub const FREED_IN_WINDOW: u64 = 6;
    /// The device buffer was freed inside a window.
    pub const DEVICE_FREED_IN_WINDOW: u64 = 7;
    /// A window could not be opened or compared.
    pub const GUARD_FAILED: u64 = 8;
    /// Stream capture while the pair was live.
    pub const CAPTURE: u64 = 9;
    /// The process forked while the pair was live.
    pub const FORK: u64 = 10;
    /// Linking copies joined other objects than the plan's order of allocation joins.
    pub const OTHER_PARTNER: u64 = 11;
    /// The host wrote the buffer at allocation although the device had used its partner.
    pub const LATE_ALLOCATION: u64 = 12;
}

/// Word indices of a trace header; the header takes [`trace::HEADER_BYTES`].
pub mod trace {
    /// `TRACE_MAGIC`.
    pub const MAGIC: usize = 0;
    /// `VERSION`.
    pub const VERSION: usize = 1;
    /// Threshold in bytes.
    pub const THRESHOLD: usize = 2;
    /// Process id.
    pub const PID: usize = 3;
    /// Device number of the executable.
    pub const EXE_DEV: usize = 4;
    /// Inode number of the executable.
    pub const EXE_INO: usize = 5;
    /// FNV-1a of `/proc/self/cmdline`.
    pub const ARGV_HASH: usize = 6;
    /// Driver version.
    pub const DRIVER: usize = 7;
    /// First half of the device UUID.
    pub const UUID_LOW: usize = 8;
    /// Second half.
    pub const UUID_HIGH: usize = 9;
    /// Device ordinal.
    pub const ORDINAL: usize = 10;
    /// Bits of [`super::attribute`].
    pub const ATTRIBUTES: usize = 11;
    /// 1 once the process ended in order.
    pub const CLEAN: usize = 12;
    /// 1 if recording stopped early (limit or disk full).
    pub const OVERFLOW: usize = 13;
    /// First of eight words with the device name.
    pub const NAME: usize = 16;
    /// Bytes of the header.
    pub const HEADER_BYTES: usize = 4096;
    /// Bytes of a record.
    pub const RECORD_BYTES: usize = 64;
    /// Bytes by which the file grows.
    pub const CHUNK_BYTES: usize = 1 << 20;
    /// Most records of a trace.
    pub const MAX_RECORDS: usize = 1 << 22;
}

/// Device attributes as bits.
pub mod attribute {
    /// CU_DEVICE_ATTRIBUTE_INTEGRATED.
    pub const INTEGRATED: u64 = 1;
    /// CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS.
    pub const CONCURRENT: u64 = 2;
    /// CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS.
    pub const PAGEABLE: u64 = 4;
    /// CU_DEVICE_ATTRIBUTE_CAN_USE_HOST_POINTER_FOR_REGISTERED_MEM.
    pub const HOST_POINTER: u64 = 8;
    /// CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY.
    pub const MANAGED: u64 = 16;
    /// CU_DEVICE_ATTRIBUTE_CAN_MAP_HOST_MEMORY.
    pub const MAP_HOST: u64 = 32;
    /// CU_DEVICE_ATTRIBUTE_HOST_REGISTER_SUPPORTED.
    pub const HOST_REGISTER: u64 = 64;
}

/// Kinds of trace records (low byte of word 0).
pub mod kind {
    /// Host allocation: a address, n bytes, site.
    pub const HOST_ALLOC: u8 = 1;
    /// Host free: a address.
    pub const HOST_FREE: u8 = 2;
    /// Host block handed to realloc: a address.
    pub const HOST_REALLOC: u8 = 3;
    /// Device allocation: a address, n bytes, site.
    pub const DEVICE_ALLOC: u8 = 4;
    /// Device free: a address.
    pub const DEVICE_FREE: u8 = 5;
    /// Copy host to device: a destination, b source, n bytes, site, stream.
    pub const UPLOAD: u8 = 6;
    /// Copy device to host: a destination, b source, n bytes, site, stream.
    pub const DOWNLOAD: u8 = 7;
    /// Any other use of a tracked block through the driver: a address; flags one of [`super::foreign`].
    pub const FOREIGN: u8 = 8;
    /// Device work submitted to a stream (coalesced).
    pub const WORK: u8 = 9;
    /// The host waited: stream, or everything if flag [`super::copy_flag::EVERYTHING`].
    pub const WAIT: u8 = 10;
    /// Stream capture began.
    pub const CAPTURE: u8 = 11;
    /// The process forked.
    pub const FORK: u8 = 12;
    /// Text: flags one of [`super::text`], words 1 to 6 hold up to 48 bytes.
    pub const TEXT: u8 = 13;
    /// Context destroyed or reset.
    pub const RESET: u8 = 14;
}

/// Flag bits of copies and waits (second byte of word 0).
pub mod copy_flag {
    /// Asynchronous form.
    pub const ASYNC: u8 = 1;
    /// No device work was unfinished before the copy.
    pub const CLEAN: u8 = 2;
    /// During capture.
    pub const CAPTURING: u8 = 4;
    /// A wait for everything.
    pub const EVERYTHING: u8 = 8;
}

/// Flag values of host allocations.
pub mod origin {
    /// malloc, new.
    pub const MALLOC: u8 = 0;
    /// calloc.
    pub const CALLOC: u8 = 1;
    /// aligned forms.
    pub const ALIGNED: u8 = 2;
    /// realloc.
    pub const REALLOC: u8 = 3;
}

/// Flag values of foreign uses.
pub mod foreign {
    /// Copy of a part, from or to something else, or two- or three-dimensional.
    pub const COPY: u8 = 1;
    /// Memset.
    pub const FILL: u8 = 2;
    /// cuMemHostRegister.
    pub const REGISTER: u8 = 3;
    /// IPC export.
    pub const EXPORT: u8 = 4;
    /// Pointer attributes.
    pub const QUERY: u8 = 5;
}

/// Flag values of text records.
pub mod text {
    /// Path of the executable.
    pub const EXECUTABLE: u8 = 1;
    /// Path of a loaded object.
    pub const LIBRARY: u8 = 2;
    /// More bytes of the text before.
    pub const MORE: u8 = 128;
}

/// One step of FNV-1a 64 over the eight bytes of `value`.
#[inline]
pub fn fnv_word(mut hash: u64, value: u64) -> u64 {
    let mut shift = 0;
    while shift < 64 {
        hash = (hash ^ ((value >> shift) & 0xff)).wrapping_mul(0x0000_0100_0000_01b3);
        shift += 8;
    }
    hash
}

/// FNV-1a 64 over bytes, continuing from `hash`.
#[inline]
pub fn fnv_bytes(mut hash: u64, bytes: &[u8]) -> u64 {
    for &byte in bytes {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    }
    hash
}

/// Start value of FNV-1a 64.
pub const FNV_START: u64 = 0xcbf2_9ce4_8422_2325;

/// Check word of a record over its first seven words; never 0, so an unwritten record never passes.
#[inline]
pub fn record_check(words: &[u64; 7]) -> u64 {
    let mut sum = 0x9e37_79b9_7f4a_7c15u64;
    for &word in words {
        sum = (sum ^ word).wrapping_mul(0xff51_afd7_ed55_8ccd).rotate_left(29);
    }
    sum | 1
}
