// The copies are recorded into a graph and replayed. A captured copy cannot be replaced by a wait
// of the host.
// Case C-70.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

__global__ void scale(float* v, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) v[i] = v[i] * 2.0f + 1.0f;
}

static double checksum(const float* v, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) s += v[i] * (i % 7 + 1);
  return s;
}

int main() {
  const int n = 1 << 12;
  const size_t bytes = n * sizeof(float);
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  float* h_v = (float*)malloc(bytes);
  for (int i = 0; i < n; i++) h_v[i] = i % 13;
  float* d_v;
  cudaMalloc(&d_v, bytes);  //~ DECLINE S2 h_v/d_v
  cudaGraph_t graph;
  cudaGraphExec_t replay;
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  cudaMemcpyAsync(d_v, h_v, bytes, cudaMemcpyHostToDevice, stream);
  scale<<<(n + 255) / 256, 256, 0, stream>>>(d_v, n);
  cudaMemcpyAsync(h_v, d_v, bytes, cudaMemcpyDeviceToHost, stream);
  cudaStreamEndCapture(stream, &graph);
  cudaGraphInstantiate(&replay, graph, 0);
  cudaGraphLaunch(replay, stream);
  cudaStreamSynchronize(stream);
  printf("%.1f\n", checksum(h_v, n));
  cudaStreamDestroy(stream);
  cudaFree(d_v);
  free(h_v);
  return 0;
}
