//! # Echo: architecture
//!
//! On a chip where CPU and GPU share their memory (Jetson, DGX Spark, Grace Hopper, MI300A), a host buffer, a device
//! buffer and the copies between them live in one DRAM. Echo merges such a pair into one buffer and removes the
//! copies, only where that provably changes nothing a user of the program could see. This crate holds the command
//! lines; everything else is in crates of its own.
//!
//! ## Bird's-eye view
//!
//! ```text
//! CUDA/C++ text --frontend--> program --dataflow--> verdicts --rewrite--> patch
//!                                        ^                        |
//!                              effect models (TOML)         echo-fix prints or applies it
//! ```
//!
//! A *program* is a set of control-flow graphs over a closed set of statements. `dataflow` folds the callees of a root
//! into one graph of *events* on memory objects, finds the *candidate pairs*, and judges each by the conditions. A
//! merge carries a *proof*, a decline its *objections*; both are data. `rewrite` turns proofs into edits. The words
//! a user reads are written here.
//!
//! ## Code map
//!
//! | folder | what |
//! |---|---|
//! | `src/` | arguments, configuration, reports, exit codes; one binary each in `src/bin/` |
//! | `frontend/` | text to program; the only crate that names libclang |
//! | `dataflow/` | program to verdicts: pure, no input or output; one module and one page per condition |
//! | `rewrite/` | proofs to edits to a unified diff: pure |
//! | `survey/` | many repositories to counts |
//! | `runtime/` | the same merge at run time, on an unmodified binary |
//! | `emulator/` | CUDA on the CPU with adversarial schedules: the test oracle, started as a process |
//! | `corpus/` | annotated programs, the specification by example; `corpus/README.md` |
//! | `tests/` | end-to-end tests, with the expected patches and reports in `tests/golden/` |
//! | `xtask/` | set-up and checks: `cargo xtask demo`, `cargo xtask test` |
//!
//! `frontend -> dataflow <- rewrite`, `survey -> frontend, dataflow`, `src -> all but emulator`, `runtime -> nothing`:
//! a test fails on any other arrow.
//!
//! ## What holds everywhere
//!
//! * **Unknown means decline.** What the front end does not understand is `Opaque`, which may do anything to everything
//!   reachable. There is no third outcome, and no catch-all arm over our own events.
//! * **Only the checker makes a proof, and only a proof makes edits.** A merge without a proof does not type-check.
//! * **Nothing outside an edit changes.** Edits are values on the original bytes; overlaps are errors.
//! * **Names prove nothing**, and neither does text: sizes are compared by algebra, objects by where they come from.
//! * **Same input, same bytes out**, whatever `-j` says.
//! * A crash of the parser loses one file, never the run: files are parsed in processes of their own.

pub mod dr;
pub mod fix;
pub mod survey;
