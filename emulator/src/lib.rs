//! A CPU implementation of CUDA with adversarial schedules.
