// The few declarations of an inference engine's interface that the program uses.
#pragma once
#include <cuda_runtime.h>

namespace nvinfer1 {

class IExecutionContext {
 public:
  virtual ~IExecutionContext() noexcept = default;
  virtual bool setTensorAddress(char const* tensorName, void* data) noexcept = 0;
  virtual bool enqueueV3(cudaStream_t stream) noexcept = 0;
};

}  // namespace nvinfer1
