//! `echo-fix` merges both pairs of every plain benchmark: what is measured on a GPU (docs/dr.md) can be made anywhere.

use std::path::Path;
use std::process::Command;

/// As much of cuDNN as the benchmarks use. Its own header comes with the library, which the tests do without.
const CUDNN: &str = "\
#pragma once
#include <stddef.h>
typedef struct cudnnContext *cudnnHandle_t;
typedef struct cudnnTensorStruct *cudnnTensorDescriptor_t;
typedef struct cudnnFilterStruct *cudnnFilterDescriptor_t;
typedef struct cudnnConvolutionStruct *cudnnConvolutionDescriptor_t;
typedef enum { CUDNN_STATUS_SUCCESS = 0 } cudnnStatus_t;
typedef enum { CUDNN_DATA_FLOAT = 0 } cudnnDataType_t;
typedef enum { CUDNN_TENSOR_NCHW = 0 } cudnnTensorFormat_t;
typedef enum { CUDNN_CROSS_CORRELATION = 1 } cudnnConvolutionMode_t;
typedef enum { CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM = 1 } cudnnConvolutionFwdAlgo_t;
extern \"C\" {
cudnnStatus_t cudnnCreate(cudnnHandle_t *);
cudnnStatus_t cudnnDestroy(cudnnHandle_t);
cudnnStatus_t cudnnCreateTensorDescriptor(cudnnTensorDescriptor_t *);
cudnnStatus_t cudnnCreateFilterDescriptor(cudnnFilterDescriptor_t *);
cudnnStatus_t cudnnCreateConvolutionDescriptor(cudnnConvolutionDescriptor_t *);
cudnnStatus_t cudnnSetTensor4dDescriptor(cudnnTensorDescriptor_t, cudnnTensorFormat_t, cudnnDataType_t, int, int, int, int);
cudnnStatus_t cudnnSetFilter4dDescriptor(cudnnFilterDescriptor_t, cudnnDataType_t, cudnnTensorFormat_t, int, int, int, int);
cudnnStatus_t cudnnSetConvolution2dDescriptor(cudnnConvolutionDescriptor_t, int, int, int, int, int, int, cudnnConvolutionMode_t, cudnnDataType_t);
cudnnStatus_t cudnnGetConvolution2dForwardOutputDim(const cudnnConvolutionDescriptor_t, const cudnnTensorDescriptor_t, const cudnnFilterDescriptor_t, int *, int *, int *, int *);
cudnnStatus_t cudnnGetConvolutionForwardWorkspaceSize(cudnnHandle_t, const cudnnTensorDescriptor_t, const cudnnFilterDescriptor_t, const cudnnConvolutionDescriptor_t, const cudnnTensorDescriptor_t, cudnnConvolutionFwdAlgo_t, size_t *);
cudnnStatus_t cudnnConvolutionForward(cudnnHandle_t, const void *, const cudnnTensorDescriptor_t, const void *, const cudnnFilterDescriptor_t, const void *, const cudnnConvolutionDescriptor_t, cudnnConvolutionFwdAlgo_t, void *, size_t, const void *, const cudnnTensorDescriptor_t, void *);
}
";

fn fix(arguments: &[&str]) -> serde_json::Value {
    let headers = tempfile::tempdir().unwrap();
    std::fs::write(headers.path().join("cudnn.h"), CUDNN).unwrap();
    let done = Command::new(env!("CARGO_BIN_EXE_echo-fix"))
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/bench/plain"))
        .args(["--format", "json", "--extra-arg", &format!("-I{}", headers.path().display())])
        .args(arguments)
        .output()
        .unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    serde_json::from_slice(&done.stdout).unwrap()
}

#[test]
fn both_pairs_of_each_are_merged() {
    for arguments in [&[][..], &["--memory", "mapped", "--target", "dgpu"]] {
        let report = fix(arguments);
        assert_eq!(report["summary"]["merge"], 10, "{:#}", report["pairs"]);
        assert_eq!(report["summary"]["decline"], 0);
        // The work in between is asynchronous: each download leaves its wait.
        let waits = report["pairs"]
            .as_array()
            .unwrap()
            .iter()
            .flat_map(|pair| pair["copies"].as_array().unwrap())
            .filter(|copy| copy["direction"] == "d2h" && copy["action"] == "synchronised");
        assert_eq!(waits.count(), 5, "{:#}", report["pairs"]);
    }
}
