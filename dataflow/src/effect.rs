//! Effect models: what library functions do to memory and order. Data, loaded from TOML files
//! (notes/semantics.md section 8); a missing key is the worst case.

use std::collections::{BTreeMap, BTreeSet};

/// Models by function name. Two models of one name are joined towards the worst case.
#[derive(Debug, Clone, Default)]
pub struct EffectModels {
    /// By plain qualified name as the front end reports callees: `cublasSgemm_v2`, `std::sort`.
    functions: BTreeMap<String, EffectModel>,
    /// By the start of the name, for families: `atomic`. A full name goes first, then the longest prefix.
    prefixes: BTreeMap<String, EffectModel>,
    /// Functions of other translation units, by USR, that are known not to use CUDA: nothing else is known of them.
    host_only: BTreeSet<String>,
}

impl EffectModels {
    /// The model of `name`.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&EffectModel> {
        if let Some(model) = self.functions.get(name) {
            return Some(model);
        }
        (1..=name.len())
            .rev()
            .filter(|&end| name.is_char_boundary(end))
            .find_map(|end| self.prefixes.get(&name[..end]))
    }

    /// Functions of other translation units, by USR, that neither use CUDA nor call anything that may.
    pub fn add_host_only(&mut self, usrs: impl IntoIterator<Item = String>) {
        self.host_only.extend(usrs);
    }

    /// Whether the function with this USR is known not to use CUDA.
    #[must_use]
    pub fn is_host_only(&self, usr: &str) -> bool {
        self.host_only.contains(usr)
    }

    /// Adds a model of one function.
    pub fn add(&mut self, name: &str, model: EffectModel) {
        join_into(&mut self.functions, name, model);
    }

    /// Adds a model of all functions whose names start with `prefix`.
    pub fn add_prefix(&mut self, prefix: &str, model: EffectModel) {
        join_into(&mut self.prefixes, prefix, model);
    }
}

fn join_into(map: &mut BTreeMap<String, EffectModel>, name: &str, model: EffectModel) {
    match map.get_mut(name) {
        None => {
            map.insert(name.to_owned(), model);
        }
        Some(old) if *old == model => {}
        // Two different opinions: nothing is known but the worst.
        Some(old) => {
            old.arguments.clear();
            old.rest = ArgumentEffect::worst();
            old.result = ResultEffect::Unknown;
            old.reads_clock |= model.reads_clock;
            old.process_control |= model.process_control;
            old.execution = Execution::Device(StreamSource::Unknown);
        }
    }
}

/// What one function does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EffectModel {
    /// Where the work runs.
    pub execution: Execution,
    /// Effect on the argument at each position; positions not listed have [`Self::rest`].
    pub arguments: BTreeMap<u32, ArgumentEffect>,
    /// Effect on arguments that are not listed.
    pub rest: ArgumentEffect,
    /// What the result may be.
    pub result: ResultEffect,
    /// Never returns.
    pub noreturn: bool,
    /// Calls functions passed to it, on the same thread, before it returns (`qsort`, `std::for_each`).
    pub calls_back: bool,
    /// Binds the stream of handle argument `.0` to stream argument `.1` (`cublasSetStream_v2`).
    pub sets_stream: Option<(u32, u32)>,
    /// Tells handle argument `.0` where scalars are, by argument `.1`: 0 on the host (`cublasSetPointerMode_v2`).
    pub sets_pointer_mode: Option<(u32, u32)>,
    /// Reads a clock that reaches the program.
    pub reads_clock: bool,
    /// `fork`, `MPI_Init`, ...
    pub process_control: bool,
    /// Starts a thread running the callable at this argument position / ends all of them.
    pub thread: Option<ThreadEffect>,
}

/// Where work runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Execution {
    /// On the host, before the call returns.
    Host,
    /// On the device, in a stream, asynchronously.
    Device(StreamSource),
    /// On the device, in a stream; the call returns after completion. If the model has an argument that is on the host,
    /// it only does so while the handle's scalars are.
    DeviceWaits(StreamSource),
}

/// Where a device function's stream comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StreamSource {
    /// The default stream.
    Default,
    /// The stream bound to the handle at this position (default stream if none was bound).
    Handle(u32),
    /// The stream passed at this position.
    Argument(u32),
    /// Not known.
    Unknown,
}

/// What happens to the memory an argument points to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArgumentEffect {
    /// What is done to it.
    pub access: ArgumentAccess,
    /// How many bytes from the pointer, if known: a sum of products of arguments and constants.
    pub bytes: Option<BytesExpr>,
    /// All those bytes are written on every call.
    pub must_write: bool,
    /// How long the pointer is kept.
    pub retention: Retention,
    /// The address itself is observed (printed, compared, hashed).
    pub observes_address: bool,
    /// The access is to what the handle at this position holds (descriptors), not to the handle's own bytes.
    pub through_handle: bool,
    /// A scalar (alpha, beta, the result of a dot product): accessed on the host even if the function runs on the
    /// device, unless the handle's pointer mode says that scalars are on the device.
    pub on_host: bool,
    /// The argument points to pointers (an array of matrices): those are read, the access is to what they point to.
    pub deep: bool,
}

/// Access to what an argument points to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "named after what they are")]
pub enum ArgumentAccess {
    None,
    Read,
    Write,
    ReadWrite,
    /// Read; also written unless the declaration says that what it points to is `const`.
    AsDeclared,
}

/// Whether an access reads and writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "named after what they are")]
pub struct Accesses {
    pub reads: bool,
    pub writes: bool,
}

impl ArgumentAccess {
    /// Of an argument whose parameter is declared with the type that is spelled `declared`.
    #[must_use]
    pub fn of_type(self, declared: &str) -> Accesses {
        let (reads, writes) = match self {
            Self::None => (false, false),
            Self::Read => (true, false),
            Self::Write => (false, true),
            Self::ReadWrite => (true, true),
            Self::AsDeclared => {
                // `const T **` is a pointer to a pointer that can be changed.
                let levels = declared.matches(['*', '&', '[']).count();
                (true, !(declared.starts_with("const ") && levels == 1))
            }
        };
        Accesses { reads, writes }
    }
}

/// How long a pointer is kept after the call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Retention {
    /// Until the call returns, or the work it submitted has run.
    Call,
    /// In the handle stored through the argument at this position.
    Handle(u32),
    /// For ever, anywhere: an escape.
    Any,
}

/// What a function returns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ResultEffect {
    /// Nothing that points to memory the program tracks (a status, a number, fresh foreign memory).
    Unrelated,
    /// A pointer into what the argument at this position points to.
    Into(u32),
    /// Anything.
    Unknown,
}

/// Threads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ThreadEffect {
    /// Starts one.
    Starts,
    /// Waits for one.
    Joins,
}

/// Bytes as an expression over arguments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BytesExpr {
    /// A constant.
    Constant(u64),
    /// The value of the integer argument at this position.
    Argument(u32),
    /// Bytes of the type the pointer argument at this position points to.
    SizeOf(u32),
    /// Sum.
    Sum(Vec<BytesExpr>),
    /// Product.
    Product(Vec<BytesExpr>),
}

impl ArgumentEffect {
    /// Read, written, kept for ever, observed: what is assumed where a model says nothing.
    #[must_use]
    pub fn worst() -> Self {
        Self {
            access: ArgumentAccess::ReadWrite,
            bytes: None,
            must_write: false,
            retention: Retention::Any,
            observes_address: true,
            through_handle: false,
            on_host: false,
            deep: false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::ArgumentAccess;

    #[test]
    fn only_what_is_declared_const_is_not_written() {
        let writes = |declared| ArgumentAccess::AsDeclared.of_type(declared).writes;
        assert!(!writes("const float *") && !writes("const half2 &"));
        assert!(writes("float *") && writes("float *const") && writes("const float **"));
    }
}
