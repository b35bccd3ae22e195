//! Effect models: the shipped ones and those of `echo.toml`.

use anyhow::Result;
use echo_dataflow::effect::EffectModels;

use super::settings::Settings;

/// Loads all models.
pub(crate) fn load(_settings: &Settings) -> Result<EffectModels> {
    Ok(EffectModels::default())
}
