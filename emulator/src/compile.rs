//! From CUDA sources to a program that runs on the CPU.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::cache::Installation;
use crate::clang::run;
use crate::{Error, image};

/// How to compile.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Options {
    /// Put a call before every access, for the race detector.
    pub race: bool,
    /// Optimization level, 0 to 3; 1 if not given.
    pub optimize: Option<u8>,
    /// Further arguments for clang: `-D`, `-I`, `-std`, `-l`, ...
    pub arguments: Vec<String>,
    /// A source with all device code of the sources, whose image is made once and embedded instead of theirs: saves the
    /// device pass where many programs have the same kernels.
    pub device: Option<PathBuf>,
}

/// A compiled program.
#[derive(Debug, Clone)]
pub struct Program {
    /// The executable.
    pub file: PathBuf,
    /// Whether the race detector can be used with it.
    pub race: bool,
}

/// Compiles `sources` (`.cu`, `.cpp`, `.cc`, `.c`, `.o`) and links them. The result lives in the cache under `target/`:
/// the same text, options and emulator give the same file.
///
/// # Errors
/// If clang rejects a source or a file cannot be read or written.
pub fn compile(
    installation: &Installation,
    sources: &[PathBuf],
    options: &Options,
) -> Result<Program, Error> {
    let mut parts: Vec<Vec<u8>> = vec![format!("{options:?}").into_bytes()];
    let mut own_text_only = true;
    for source in sources {
        let bytes = fs::read(source).map_err(Error::file(source))?;
        own_text_only &= !has_local_include(&bytes);
        parts.push(source.extension().unwrap_or_default().as_encoded_bytes().to_vec());
        parts.push(bytes);
    }
    if !own_text_only {
        // Headers beside the source count too, and only the preprocessor knows which: hash what it makes of them.
        parts.extend(sources.iter().map(|source| preprocessed(installation, source, options)));
    }
    let parts: Vec<&[u8]> = parts.iter().map(Vec::as_slice).collect();
    let file = installation
        .cached("programs", &parts, |file| build(installation, sources, options, file))?;
    Ok(Program { file, race: options.race })
}

/// As [`compile`], to `file` and past the cache: for programs that are run once.
///
/// # Errors
/// As [`compile`].
pub fn compile_to(
    installation: &Installation,
    sources: &[PathBuf],
    options: &Options,
    file: &Path,
) -> Result<Program, Error> {
    build(installation, sources, options, file)?;
    Ok(Program { file: file.to_owned(), race: options.race })
}

/// Compiles only the device code of a source, to a file that `cuModuleLoad` reads.
///
/// # Errors
/// As [`compile`].
pub fn compile_module(
    installation: &Installation,
    source: &Path,
    options: &Options,
) -> Result<PathBuf, Error> {
    let text = fs::read(source).map_err(Error::file(source))?;
    let key = format!("{options:?}");
    installation.cached("modules", &[key.as_bytes(), &text], |file| {
        fs::write(file, device_image(installation, source, options)?).map_err(Error::file(file))
    })
}

fn has_local_include(text: &[u8]) -> bool {
    String::from_utf8_lossy(text).lines().any(|line| {
        let line = line.trim_start();
        line.starts_with('#') && line.contains("include") && line.contains('"')
    })
}

fn preprocessed(installation: &Installation, source: &Path, options: &Options) -> Vec<u8> {
    let mut command = cuda(installation, options);
    command
        .args(["-include", "cuda_runtime.h", "-E"])
        .args(compiler_arguments(options))
        .arg(source);
    // A source that does not even preprocess is reported when it is compiled.
    command.output().map(|output| output.stdout).unwrap_or_default()
}

fn build(
    installation: &Installation,
    sources: &[PathBuf],
    options: &Options,
    program: &Path,
) -> Result<(), Error> {
    let folder = program.parent().unwrap_or(Path::new("."));
    let scratch = tempfile::Builder::new().tempdir_in(folder).map_err(Error::file(folder))?;
    let mut objects = Vec::new();
    for (index, source) in sources.iter().enumerate() {
        let object = scratch.path().join(format!("{index}.o"));
        let name = source.display().to_string();
        match source.extension().and_then(|extension| extension.to_str()) {
            Some("o" | "a") => {
                objects.push(source.clone());
                continue;
            }
            Some("c") => {
                let mut command = Command::new(&installation.clang);
                command.args(["-x", "c", "-w"]).args(common(installation, options));
                let not_cpp = |argument: &&String| !argument.starts_with("-std=");
                command.args(compiler_arguments(options).iter().filter(not_cpp));
                command.arg("-c").arg("-o").arg(&object).arg(source);
                run(command, &name)?;
            }
            Some(_) | None => {
                let image = match &options.device {
                    Some(device) => {
                        let options = Options { device: None, ..options.clone() };
                        compile_module(installation, device, &options)?
                    }
                    None => {
                        let image = scratch.path().join(format!("{index}.image"));
                        fs::write(&image, device_image(installation, source, options)?)
                            .map_err(Error::file(&image))?;
                        image
                    }
                };
                let mut command = cuda(installation, options);
                precompiled(installation, options, Pass::Host, &mut command)?;
                command.args(compiler_arguments(options));
                command.args(["-Xclang", "-fcuda-include-gpubinary", "-Xclang"]).arg(&image);
                command.arg("-c").arg("-o").arg(&object).arg(source);
                run(command, &name)?;
            }
        }
        objects.push(object);
    }
    let mut link = Command::new(&installation.clang);
    link.arg("-o").arg(program).args(&objects);
    // libcuda comes first: its heap functions must be found before libc's.
    link.arg("-Wl,--no-as-needed").arg(installation.libraries.join("libcuda.so.1"));
    link.arg(installation.libraries.join("libcudart.so.12"));
    link.arg("-Wl,--as-needed").arg(installation.libraries.join("libecholibraries.so"));
    link.arg(format!("-Wl,-rpath,{}", installation.libraries.display()));
    // The emulator's libraries stand for CUDA's.
    let ours = ["-lcuda", "-lcudart", "-lcudart_static", "-lcublas", "-lcufft", "-lcurand"];
    let others = options
        .arguments
        .iter()
        .filter(|argument| is_for_linker(argument) && !ours.contains(&argument.as_str()));
    link.args(others);
    link.args(["-lm", "-ldl", "-lpthread"]);
    run(link, "linking")
}

/// The device code of a source, as the bytes to embed in the host's object.
fn device_image(
    installation: &Installation,
    source: &Path,
    options: &Options,
) -> Result<Vec<u8>, Error> {
    let scratch = tempfile::tempdir().map_err(Error::file(Path::new("temporary folder")))?;
    let name = source.display().to_string();
    let (text, wrapped) = (scratch.path().join("device.ll"), scratch.path().join("wrapped.ll"));
    let object = scratch.path().join("device.so");
    let mut command = cuda(installation, options);
    command.args(DEVICE_ARGUMENTS);
    precompiled(installation, options, Pass::Device, &mut command)?;
    command.args(compiler_arguments(options));
    command.args(["-S", "-emit-llvm", "-o"]).arg(&text).arg(source);
    run(command, &name)?;
    let ir = fs::read_to_string(&text).map_err(Error::file(&text))?;
    fs::write(&wrapped, image::wrap(&ir)).map_err(Error::file(&wrapped))?;
    let mut command = Command::new(&installation.clang);
    command.args(["-w", &level(options), "-fPIC", "-shared", "-nostdlib", "-g0"]);
    // The program itself may use nothing of libm.
    command.arg("-o").arg(&object).arg(&wrapped).arg("-lm");
    run(command, &format!("{name} (device code)"))?;
    let elf = fs::read(&object).map_err(Error::file(&object))?;
    let mut bytes = b"ECHODEV\0".to_vec();
    bytes.extend_from_slice(&(elf.len() as u64).to_le_bytes());
    bytes.extend_from_slice(&elf);
    Ok(bytes)
}

#[derive(Clone, Copy)]
enum Pass {
    Host,
    Device,
}

// Both passes have the same triple, so that mangled names and layouts agree.
const CUDA_ARGUMENTS: [&str; 13] = [
    "-x",
    "cuda",
    "--cuda-host-only",
    "-nocudainc",
    "-nocudalib",
    "-Xclang",
    "-target-sdk-version=12.6",
    "-w",
    // An error in clang alone.
    "-Wno-register",
    "-ferror-limit=8",
    "-ffp-contract=off",
    "-fno-strict-aliasing",
    "-std=c++17",
];

// Full debug information: `image` takes from it which source parameter an IR parameter belongs to.
const DEVICE_ARGUMENTS: [&str; 9] = [
    "-Xclang",
    "-fcuda-is-device",
    "-D__CUDA_ARCH__=870",
    "-fno-discard-value-names",
    "-fno-exceptions",
    // A number that does not fit an integer type becomes the nearest one that does, as on a device.
    "-fno-strict-float-cast-overflow",
    "-fno-builtin-printf",
    "-fPIC",
    "-g",
];

fn level(options: &Options) -> String {
    format!("-O{}", options.optimize.unwrap_or(1).min(3))
}

fn common(installation: &Installation, options: &Options) -> Vec<String> {
    let mut arguments = vec![
        format!("-I{}", installation.include.display()),
        level(options),
        // The runtime names allocations by their callers, which it finds along frame pointers.
        "-fno-omit-frame-pointer".to_owned(),
        "-mno-omit-leaf-frame-pointer".to_owned(),
    ];
    arguments.extend(installation.machine.map(str::to_owned));
    if options.race {
        arguments.push("-fsanitize=thread".to_owned());
    }
    arguments
}

fn cuda(installation: &Installation, options: &Options) -> Command {
    let mut command = Command::new(&installation.clang);
    command.args(CUDA_ARGUMENTS).args(common(installation, options));
    command
}

fn is_for_linker(argument: &str) -> bool {
    argument.starts_with("-l") || argument.starts_with("-L") || argument.starts_with("-Wl,")
}

fn compiler_arguments(options: &Options) -> Vec<String> {
    options.arguments.iter().filter(|argument| !is_for_linker(argument)).cloned().collect()
}

/// Makes the command start from the precompiled CUDA headers.
fn precompiled(
    installation: &Installation,
    options: &Options,
    pass: Pass,
    command: &mut Command,
) -> Result<(), Error> {
    // What can change the meaning of the headers is part of the key; -I and the like cannot.
    let matters = |argument: &&String| {
        ["-std=", "-D", "-U", "-f", "-m"].iter().any(|start| argument.starts_with(start))
    };
    let arguments: Vec<String> = options.arguments.iter().filter(matters).cloned().collect();
    let device: &[&str] = match pass {
        Pass::Host => &[],
        Pass::Device => &DEVICE_ARGUMENTS,
    };
    let key = format!("{} {} {arguments:?} {device:?}", level(options), options.race);
    let file = installation.cached("headers", &[key.as_bytes()], |file| {
        let mut command = cuda(installation, options);
        command.args(device).args(&arguments);
        // The cache's key already says that the headers are the same.
        command.args(["-Xclang", "-fno-pch-timestamp", "-Xclang", "-emit-pch", "-c", "-o"]);
        command.arg(file).arg(installation.include.join("cuda_runtime.h"));
        run(command, "the emulator's headers")
    })?;
    command.args(["-Xclang", "-include-pch", "-Xclang"]).arg(file);
    Ok(())
}
