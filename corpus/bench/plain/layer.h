// One cuDNN convolution layer with constant weights.
#pragma once
#include "measure.h"
#include <cudnn.h>

struct Layer {
  cudnnTensorDescriptor_t in, out;
  cudnnFilterDescriptor_t filter;
  cudnnConvolutionDescriptor_t convolution;
  size_t out_bytes = 0, work_bytes = 0;
  float *weights = nullptr;
  void *work = nullptr;
  int n, c, h, w;
  static constexpr cudnnConvolutionFwdAlgo_t algorithm = CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM;

  Layer(cudnnHandle_t handle, int images, int channels, int height, int width, int filters, int size, int stride) {
    CHECK(cudnnCreateTensorDescriptor(&in));
    CHECK(cudnnCreateTensorDescriptor(&out));
    CHECK(cudnnCreateFilterDescriptor(&filter));
    CHECK(cudnnCreateConvolutionDescriptor(&convolution));
    CHECK(cudnnSetTensor4dDescriptor(in, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, images, channels, height, width));
    CHECK(cudnnSetFilter4dDescriptor(filter, CUDNN_DATA_FLOAT, CUDNN_TENSOR_NCHW, filters, channels, size, size));
    CHECK(cudnnSetConvolution2dDescriptor(convolution, size / 2, size / 2, stride, stride, 1, 1,
                                          CUDNN_CROSS_CORRELATION, CUDNN_DATA_FLOAT));
    CHECK(cudnnGetConvolution2dForwardOutputDim(convolution, in, filter, &n, &c, &h, &w));
    CHECK(cudnnSetTensor4dDescriptor(out, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, n, c, h, w));
    out_bytes = sizeof(float) * n * c * h * w;
    CHECK(cudnnGetConvolutionForwardWorkspaceSize(handle, in, filter, convolution, out, algorithm, &work_bytes));
    if (work_bytes) CHECK(cudaMalloc(&work, work_bytes));
    std::vector<float> host((size_t)filters * channels * size * size, 0.01f);
    CHECK(cudaMalloc(&weights, host.size() * sizeof(float)));
    CHECK(cudaMemcpy(weights, host.data(), host.size() * sizeof(float), cudaMemcpyHostToDevice));
  }

  void run(cudnnHandle_t handle, const float *from, float *to) {
    float one = 1, zero = 0;
    CHECK(cudnnConvolutionForward(handle, &one, in, from, filter, weights, convolution, algorithm, work, work_bytes,
                                  &zero, out, to));
  }
};
