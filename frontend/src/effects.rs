//! Loads effect models from TOML (format: docs/guide.md).
//!
//! A missing key is the worst case; two models of one name are joined towards the worst.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use echo_dataflow::effect::{
    ArgumentAccess, ArgumentEffect, BytesExpr, EffectModel, EffectModels, Execution, ResultEffect,
    Retention, StreamSource, ThreadEffect,
};
use serde::Deserialize;

/// The shipped files.
const SHIPPED: &[(&str, &str)] = &[
    ("libc.toml", include_str!("../models/libc.toml")),
    ("libstdcxx.toml", include_str!("../models/libstdcxx.toml")),
    ("cuda.toml", include_str!("../models/cuda.toml")),
    ("cublas.toml", include_str!("../models/cublas.toml")),
    ("cusparse.toml", include_str!("../models/cusparse.toml")),
    ("cusolver.toml", include_str!("../models/cusolver.toml")),
    ("cudnn.toml", include_str!("../models/cudnn.toml")),
    ("libraries.toml", include_str!("../models/libraries.toml")),
];

/// Why a model file was refused.
#[derive(Debug, thiserror::Error)]
pub enum EffectsError {
    /// It cannot be read.
    #[error("cannot read {path}: {source}")]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// It is not TOML of this form; the message names line and column.
    #[error("{path}: {source}")]
    Form {
        /// The file.
        path: String,
        /// What is wrong, and where.
        source: Box<toml::de::Error>,
    },
    /// A value is not understood.
    #[error("{path}: in the model of `{name}`: {what}")]
    Value {
        /// The file.
        path: String,
        /// First name of the model.
        name: String,
        /// What is wrong.
        what: String,
    },
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    schema: String,
    #[serde(rename = "fn", default)]
    functions: Vec<Model>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Model {
    #[serde(default)]
    names: Vec<String>,
    #[serde(default)]
    prefixes: Vec<String>,
    #[serde(default)]
    exec: Option<String>,
    #[serde(default)]
    stream: Option<String>,
    #[serde(default)]
    args: BTreeMap<String, Argument>,
    #[serde(default)]
    rest: Option<Argument>,
    #[serde(default)]
    result: Option<String>,
    #[serde(default)]
    calls_back: bool,
    #[serde(default)]
    clock: bool,
    #[serde(default)]
    process: bool,
    #[serde(default)]
    thread: Option<String>,
    #[serde(default)]
    sets_stream: Option<(u32, u32)>,
    #[serde(default)]
    sets_pointer_mode: Option<(u32, u32)>,
    /// Where it is written.
    evidence: String,
    /// `documented`, `measured` or `assumed`.
    confidence: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Argument {
    access: String,
    #[serde(default)]
    bytes: Option<String>,
    #[serde(default)]
    must: bool,
    #[serde(default)]
    observes: bool,
    #[serde(default)]
    captures: Option<String>,
    #[serde(default)]
    through_handle: bool,
    #[serde(default)]
    on_host: bool,
    #[serde(default)]
    deep: bool,
}

/// The shipped models with those of `files`.
///
/// # Errors
/// If a file cannot be read or is not understood.
pub fn load(files: &[PathBuf]) -> Result<EffectModels, EffectsError> {
    let mut models = EffectModels::default();
    for (name, text) in SHIPPED {
        add(&mut models, name, text)?;
    }
    for path in files {
        let text = std::fs::read_to_string(path)
            .map_err(|source| EffectsError::Unreadable { path: path.clone(), source })?;
        add(&mut models, &shown(path), &text)?;
    }
    Ok(models)
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}

fn add(models: &mut EffectModels, path: &str, text: &str) -> Result<(), EffectsError> {
    let file: File = toml::from_str(text)
        .map_err(|source| EffectsError::Form { path: path.to_owned(), source: Box::new(source) })?;
    for model in file.functions {
        let name = model.names.first().or(model.prefixes.first()).cloned().unwrap_or_default();
        let wrong =
            |what: String| EffectsError::Value { path: path.to_owned(), name: name.clone(), what };
        if file.schema != "echo-effects/1" {
            return Err(wrong(format!("schema `{}` is not known", file.schema)));
        }
        if !matches!(model.confidence.as_str(), "documented" | "measured" | "assumed")
            || model.evidence.is_empty()
        {
            return Err(wrong("`evidence` and a `confidence` are needed".to_owned()));
        }
        let effect = convert(&model).map_err(wrong)?;
        for name in model.names.iter().flat_map(|name| alternatives(name)) {
            models.add(&name, effect.clone());
        }
        for prefix in &model.prefixes {
            models.add_prefix(prefix, effect.clone());
        }
    }
    Ok(())
}

/// `cublas{S,D}gemm{,_v2}` stands for four names.
fn alternatives(name: &str) -> Vec<String> {
    let Some((head, rest)) = name.split_once('{') else { return vec![name.to_owned()] };
    let Some((choices, tail)) = rest.split_once('}') else { return vec![name.to_owned()] };
    let tails = alternatives(tail);
    choices
        .split(',')
        .flat_map(|choice| tails.iter().map(move |tail| format!("{head}{choice}{tail}")))
        .collect()
}

fn convert(model: &Model) -> Result<EffectModel, String> {
    let stream = match model.stream.as_deref() {
        None | Some("default") => StreamSource::Default,
        Some("unknown") => StreamSource::Unknown,
        Some(other) => match other.split_once(':') {
            Some(("handle", n)) => StreamSource::Handle(number(n)?),
            Some(("arg", n)) => StreamSource::Argument(number(n)?),
            Some(_) | None => return Err(format!("stream `{other}` is not understood")),
        },
    };
    let execution = match model.exec.as_deref() {
        None | Some("host") => Execution::Host,
        Some("device") => Execution::Device(stream),
        Some("device-waits") => Execution::DeviceWaits(stream),
        Some(other) => return Err(format!("exec `{other}` is not understood")),
    };
    let mut arguments = BTreeMap::new();
    for (position, argument) in &model.args {
        arguments.insert(number(position)?, convert_argument(argument)?);
    }
    let result = match model.result.as_deref() {
        None | Some("unrelated") => ResultEffect::Unrelated,
        Some("unknown" | "into-any") => ResultEffect::Unknown,
        Some(other) => match other.split_once(':') {
            Some(("into", n)) => ResultEffect::Into(number(n)?),
            Some(_) | None => return Err(format!("result `{other}` is not understood")),
        },
    };
    let thread = match model.thread.as_deref() {
        None => None,
        Some("starts") => Some(ThreadEffect::Starts),
        Some("joins") => Some(ThreadEffect::Joins),
        Some(other) => return Err(format!("thread `{other}` is not understood")),
    };
    Ok(EffectModel {
        execution,
        arguments,
        rest: match &model.rest {
            Some(rest) => convert_argument(rest)?,
            None => ArgumentEffect::worst(),
        },
        result,
        noreturn: false,
        calls_back: model.calls_back,
        sets_stream: model.sets_stream,
        sets_pointer_mode: model.sets_pointer_mode,
        reads_clock: model.clock,
        process_control: model.process,
        thread,
    })
}

fn convert_argument(argument: &Argument) -> Result<ArgumentEffect, String> {
    Ok(ArgumentEffect {
        access: match argument.access.as_str() {
            "none" => ArgumentAccess::None,
            "read" => ArgumentAccess::Read,
            "write" => ArgumentAccess::Write,
            "readwrite" => ArgumentAccess::ReadWrite,
            "declared" => ArgumentAccess::AsDeclared,
            other => return Err(format!("access `{other}` is not understood")),
        },
        bytes: argument.bytes.as_deref().map(bytes).transpose()?,
        must_write: argument.must,
        retention: match argument.captures.as_deref() {
            None | Some("none") => Retention::Call,
            Some("any") => Retention::Any,
            Some(other) => match other.split_once(':') {
                Some(("handle", n)) => Retention::Handle(number(n)?),
                Some(_) | None => return Err(format!("captures `{other}` is not understood")),
            },
        },
        observes_address: argument.observes,
        through_handle: argument.through_handle,
        on_host: argument.on_host,
        deep: argument.deep,
    })
}

fn number(text: &str) -> Result<u32, String> {
    text.parse().map_err(|_| format!("`{text}` is not an argument position"))
}

/// `arg2`, `arg1*arg2`, `4*arg0+8`, `sizeof0*arg1`.
fn bytes(text: &str) -> Result<BytesExpr, String> {
    let mut terms = Vec::new();
    for term in text.split('+') {
        let mut factors = Vec::new();
        for factor in term.split('*') {
            let factor = factor.trim();
            factors.push(if let Some(position) = factor.strip_prefix("arg") {
                BytesExpr::Argument(number(position)?)
            } else if let Some(position) = factor.strip_prefix("sizeof") {
                BytesExpr::SizeOf(number(position)?)
            } else {
                BytesExpr::Constant(
                    factor.parse().map_err(|_| format!("bytes `{text}` are not understood"))?,
                )
            });
        }
        terms.push(BytesExpr::Product(factors));
    }
    Ok(BytesExpr::Sum(terms))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shipped_models_load() {
        let models = load(&[]).unwrap();
        assert!(models.get("memcpy").is_some());
        assert!(models.get("atomicAdd").is_some());
        assert!(models.get("no_such_function").is_none());
    }

    #[test]
    fn braces_stand_for_every_choice() {
        assert_eq!(alternatives("plain"), ["plain"]);
        assert_eq!(alternatives("f{S,D}g{,_v2}"), ["fSg", "fSg_v2", "fDg", "fDg_v2"]);
    }

    #[test]
    fn a_missing_key_is_the_worst_case() {
        let mut models = EffectModels::default();
        let text = "schema = \"echo-effects/1\"\n[[fn]]\nnames = [\"f\"]\nevidence = \"x\"\nconfidence = \"assumed\"\n";
        add(&mut models, "x.toml", text).unwrap();
        assert_eq!(models.get("f").unwrap().rest, ArgumentEffect::worst());
    }

    #[test]
    fn errors_name_the_file_and_the_model() {
        let mut models = EffectModels::default();
        let text = "schema = \"echo-effects/1\"\n[[fn]]\nnames = [\"f\"]\nexec = \"moon\"\nevidence = \"x\"\nconfidence = \"assumed\"\n";
        let error = add(&mut models, "x.toml", text).unwrap_err().to_string();
        assert_eq!(error, "x.toml: in the model of `f`: exec `moon` is not understood");
    }
}
