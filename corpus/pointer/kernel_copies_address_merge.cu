// The kernel copies the address of another buffer into the table.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

__global__ void keep(float** table, float* v) { memcpy(table, &v, sizeof(v)); }

__global__ void look(float** table, float* out) { out[0] = table[0][3]; }

int main() {
  const int n = 1 << 12;
  const size_t bytes = n * sizeof(float);
  float** d_table;
  cudaMalloc(&d_table, sizeof(float*));
  float *d_w, *d_out;
  cudaMalloc(&d_w, bytes);
  cudaMalloc(&d_out, sizeof(float));
  cudaMemset(d_w, 0, bytes);
  cudaDeviceSynchronize();
  float* h_v = (float*)malloc(bytes);
  for (int i = 0; i < n; i++) h_v[i] = i % 13;
  float* d_v;
  cudaMalloc(&d_v, bytes);  //~ MERGE h_v/d_v
  cudaMemcpy(d_v, h_v, bytes, cudaMemcpyHostToDevice);
  keep<<<1, 1>>>(d_table, d_w);
  cudaDeviceSynchronize();
  for (int i = 0; i < n; i++) h_v[i] = i % 5 + 20;
  look<<<1, 1>>>(d_table, d_out);
  float seen = 0;
  cudaMemcpy(&seen, d_out, sizeof(float), cudaMemcpyDeviceToHost);
  printf("%.1f %.1f\n", seen, h_v[3]);
  cudaFree(d_v);
  free(h_v);
  cudaFree(d_w);
  cudaFree(d_out);
  cudaFree(d_table);
  return 0;
}
