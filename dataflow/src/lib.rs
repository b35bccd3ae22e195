//! A CUDA program to verdicts on its candidate pairs.
