//! Effect models: the shipped ones and those of `echo.toml`.

use anyhow::Result;
use echo_dataflow::effect::EffectModels;

use super::settings::Settings;

/// Loads all models.
pub(crate) fn load(settings: &Settings) -> Result<EffectModels> {
    Ok(echo_frontend::effects::load(&settings.effect_models)?)
}
