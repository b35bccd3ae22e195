// The member function has a name of its own.
#include <cstdio>
#include <cstdlib>

__global__ void scale(float* v, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) v[i] = v[i] * 2.0f + 1.0f;
}

struct Job {
  int waits = 0;
  int synchronize(int stream);

  float run() {
    const int n = 1 << 12;
    const size_t bytes = n * sizeof(float);
    float* h_v = (float*)malloc(bytes);
    for (int i = 0; i < n; i++) h_v[i] = i % 13;
    float* d_v;
    cudaMalloc(&d_v, bytes);  //~ MERGE h_v/d_v
    cudaMemcpy(d_v, h_v, bytes, cudaMemcpyHostToDevice);
    scale<<<(n + 255) / 256, 256>>>(d_v, n);
    cudaMemcpy(h_v, d_v, bytes, cudaMemcpyDeviceToHost);
    const float first = h_v[0];
    cudaFree(d_v);
    free(h_v);
    return first;
  }
};

int Job::synchronize(int stream) { return waits += 1 + stream; }

int main() {
  Job job;
  printf("%.1f\n", job.run());
  printf("%d\n", job.synchronize(1));
  return 0;
}
