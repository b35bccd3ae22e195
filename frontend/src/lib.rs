//! CUDA and C++ text to the program that echo-dataflow analyses.
