//! Elements whose type is known only at run time.

use half::{bf16, f16};

use crate::view::{read, write};

/// Element types (`cudaDataType`) that can be mixed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Element {
    Float,
    Double,
    Half,
    Bfloat,
    Int8,
    Int32,
}

impl Element {
    /// The type of a `cudaDataType`.
    pub(crate) fn from_code(code: i32) -> Option<Self> {
        match code {
            0 => Some(Self::Float),
            1 => Some(Self::Double),
            2 => Some(Self::Half),
            3 => Some(Self::Int8),
            10 => Some(Self::Int32),
            14 => Some(Self::Bfloat),
            _ => None,
        }
    }

    pub(crate) const fn bytes(self) -> usize {
        match self {
            Self::Float | Self::Int32 => 4,
            Self::Double => 8,
            Self::Half | Self::Bfloat => 2,
            Self::Int8 => 1,
        }
    }

    pub(crate) fn load(self, place: usize) -> f64 {
        match self {
            Self::Float => f64::from(read::<f32>(place)),
            Self::Double => read::<f64>(place),
            Self::Half => f16::from_bits(read::<u16>(place)).to_f64(),
            Self::Bfloat => bf16::from_bits(read::<u16>(place)).to_f64(),
            Self::Int8 => f64::from(read::<i8>(place)),
            Self::Int32 => f64::from(read::<i32>(place)),
        }
    }

    /// Rounds to the type.
    pub(crate) fn store(self, place: usize, value: f64) {
        match self {
            Self::Float => write(place, value as f32),
            Self::Double => write(place, value),
            Self::Half => write(place, f16::from_f64(value).to_bits()),
            Self::Bfloat => write(place, bf16::from_f64(value).to_bits()),
            Self::Int8 => write(place, value as i8),
            Self::Int32 => write(place, value as i32),
        }
    }
}
