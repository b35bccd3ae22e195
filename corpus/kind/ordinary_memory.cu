// Where the GPU reaches ordinary host memory, the merged buffers may be that: aligned as CUDA aligns, and
// registered if `registered` is asked for. On other devices it may not.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

#define CHECK(call)                    \
  do {                                 \
    if ((call) != cudaSuccess) exit(1); \
  } while (0)

__global__ void count(const float* v, const float* w, float* sum, int* counts, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  sum[i] = v[i] + w[i];
  if (sum[i] > 8) counts[i] += 1;
}

int main() {
  const int n = 1 << 12;
  const size_t bytes = n * sizeof(float);
  float* h_v = (float*)malloc(bytes);
  if (h_v == NULL) return 1;
  float* h_sum = new float[n];
  int* h_counts = (int*)calloc(n, sizeof(int));
  for (int i = 0; i < n; i++) h_v[i] = i % 13;
  float *d_v, *d_sum, *d_w;
  int* d_counts = NULL;
  CHECK(cudaMalloc(&d_v, bytes));    //~ MERGE[any-uma,gh200+system,thor+registered] h_v/d_v
                                     //~^ DECLINE[any-uma+system,orin+registered] S6 h_v/d_v
  CHECK(cudaMalloc(&d_sum, bytes));  //~ MERGE[any-uma,gh200+system,thor+registered] h_sum/d_sum
                                     //~^ DECLINE[any-uma+system,orin+registered] S6 h_sum/d_sum
  CHECK(cudaMalloc(&d_counts, n * sizeof(int)));
  //~^ MERGE[any-uma,gh200+system,thor+registered] h_counts/d_counts
  //~^^ DECLINE[any-uma+system,orin+registered] S6 h_counts/d_counts
  if (cudaMalloc(&d_w, bytes) != cudaSuccess) return 1;
  //~^ MERGE[any-uma,gh200+system,thor+registered] h_w/d_w
  //~^^ DECLINE[any-uma+system,orin+registered] S6 h_w/d_w
  float* h_w = (float*)malloc(bytes);
  for (int i = 0; i < n; i++) h_w[i] = i % 5;
  CHECK(cudaMemcpy(d_v, h_v, bytes, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(d_w, h_w, bytes, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(d_counts, h_counts, n * sizeof(int), cudaMemcpyHostToDevice));
  count<<<(n + 255) / 256, 256>>>(d_v, d_w, d_sum, d_counts, n);
  CHECK(cudaMemcpy(h_sum, d_sum, bytes, cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(h_counts, d_counts, n * sizeof(int), cudaMemcpyDeviceToHost));
  double total = 0;
  int found = 0;
  for (int i = 0; i < n; i++) {
    total += h_sum[i];
    found += h_counts[i];
  }
  printf("%.1f %d\n", total, found);
  CHECK(cudaFree(d_v));
  free(h_v);
  delete[] h_sum;
  CHECK(cudaFree(d_sum));
  free(h_counts);
  if (cudaFree(d_counts) != cudaSuccess) return 1;
  if (d_w) cudaFree(d_w);
  free(h_w);
  return 0;
}
