// Names that cannot be made one, though an alias can: each use would have to be this pointer, outside
// macros that do more than look at a status, where the other name means the same.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

#define SHOW(what) printf("%s: %.1f\n", #what, (double)(what))

__global__ void scale(float* v, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) v[i] = v[i] * 2.0f + 1.0f;
}

static float* filled(int n) {
  float* h = (float*)malloc(n * sizeof(float));
  for (int i = 0; i < n; i++) h[i] = i % 13;
  return h;
}

static void shadowed(int n) {
  float* h_a = (float*)malloc(n * sizeof(float));
  for (int i = 0; i < n; i++) h_a[i] = i % 13;
  float* d_a;
  cudaMalloc(&d_a, n * sizeof(float));  //~ MERGE[any-uma] h_a/d_a
                                        //~^ DECLINE[any-uma+rename] edit h_a/d_a
  cudaMemcpy(d_a, h_a, n * sizeof(float), cudaMemcpyHostToDevice);
  for (int h_a = 0; h_a < 2; h_a++) scale<<<(n + 255) / 256, 256>>>(d_a, n);
  cudaMemcpy(h_a, d_a, n * sizeof(float), cudaMemcpyDeviceToHost);
  printf("%.1f\n", h_a[7]);
  cudaFree(d_a);
  free(h_a);
}

static void captured(int n) {
  float* h_b = (float*)malloc(n * sizeof(float));
  for (int i = 0; i < n; i++) h_b[i] = i % 13;
  float* d_b;
  cudaMalloc(&d_b, n * sizeof(float));  //~ MERGE[any-uma] h_b/d_b
                                        //~^ DECLINE[any-uma+rename] edit h_b/d_b
  cudaMemcpy(d_b, h_b, n * sizeof(float), cudaMemcpyHostToDevice);
  auto run = [d_b, n] { scale<<<(n + 255) / 256, 256>>>(d_b, n); };
  run();
  cudaMemcpy(h_b, d_b, n * sizeof(float), cudaMemcpyDeviceToHost);
  printf("%.1f\n", h_b[7]);
  cudaFree(d_b);
  free(h_b);
}

static void shown(int n) {
  float* h_c = (float*)malloc(n * sizeof(float));
  for (int i = 0; i < n; i++) h_c[i] = i % 13;
  float* d_c;
  cudaMalloc(&d_c, n * sizeof(float));  //~ MERGE[any-uma] h_c/d_c
                                        //~^ DECLINE[any-uma+rename] edit h_c/d_c
  cudaMemcpy(d_c, h_c, n * sizeof(float), cudaMemcpyHostToDevice);
  scale<<<(n + 255) / 256, 256>>>(d_c, n);
  cudaMemcpy(h_c, d_c, n * sizeof(float), cudaMemcpyDeviceToHost);
  SHOW(d_c != NULL);
  printf("%.1f\n", h_c[7]);
  cudaFree(d_c);
  free(h_c);
}

static void of_another_type(int n) {
  unsigned char* h_d = (unsigned char*)malloc(n * sizeof(float));
  for (int i = 0; i < n * 4; i++) h_d[i] = i % 3;
  float* d_d;
  cudaMalloc(&d_d, n * sizeof(float));  //~ MERGE[any-uma] h_d/d_d
                                        //~^ DECLINE[any-uma+rename] edit h_d/d_d
  cudaMemcpy(d_d, h_d, n * sizeof(float), cudaMemcpyHostToDevice);
  scale<<<(n + 255) / 256, 256>>>(d_d, n);
  cudaMemcpy(h_d, d_d, n * sizeof(float), cudaMemcpyDeviceToHost);
  printf("%d\n", h_d[7]);
  cudaFree(d_d);
  free(h_d);
}

static void cleared(int n) {
  float* h_e = (float*)malloc(n * sizeof(float));
  for (int i = 0; i < n; i++) h_e[i] = i % 13;
  float* d_e = NULL;
  cudaMalloc(&d_e, n * sizeof(float));  //~ MERGE[any-uma] h_e/d_e
                                        //~^ DECLINE[any-uma+rename] edit h_e/d_e
  cudaMemcpy(d_e, h_e, n * sizeof(float), cudaMemcpyHostToDevice);
  scale<<<(n + 255) / 256, 256>>>(d_e, n);
  cudaMemcpy(h_e, d_e, n * sizeof(float), cudaMemcpyDeviceToHost);
  cudaFree(d_e);
  d_e = NULL;
  printf("%.1f %d\n", h_e[7], d_e == NULL);
  free(h_e);
}

static void made_elsewhere(int n) {
  float* h_f = filled(n);
  float* d_f;
  cudaMalloc(&d_f, n * sizeof(float));  //~ MERGE[any-uma] h_f/d_f
                                        //~^ DECLINE[any-uma+rename] edit h_f/d_f
  cudaMemcpy(d_f, h_f, n * sizeof(float), cudaMemcpyHostToDevice);
  scale<<<(n + 255) / 256, 256>>>(d_f, n);
  cudaMemcpy(h_f, d_f, n * sizeof(float), cudaMemcpyDeviceToHost);
  printf("%.1f\n", h_f[7]);
  cudaFree(d_f);
  free(h_f);
  h_f = NULL;
}

int main() {
  shadowed(1 << 12);
  captured(1 << 12);
  shown(1 << 12);
  of_another_type(1 << 12);
  cleared(1 << 12);
  made_elsewhere(1 << 12);
  return 0;
}
