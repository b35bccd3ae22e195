// The array's elements have virtual functions and constructors: `new` stores pointers to tables,
// counts and runs code that a plain block of memory would not.
// Case C-55.
#include <cuda_runtime.h>

#include <cstdio>

struct Particle {
  Particle() : x(1.0f), v(0.5f) {}
  virtual ~Particle() {}
  virtual float energy() const { return v * v; }
  float x, v;
};

__global__ void advance(Particle* particles, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) particles[i].x += particles[i].v;
}

int main() {
  const int n = 1 << 10;
  Particle* h_p = new Particle[n];  //~ NONE an array of such objects is not a host side
  for (int i = 0; i < n; i++) h_p[i].x = i % 13, h_p[i].v = 0.25f;
  Particle* d_p;
  cudaMalloc(&d_p, n * sizeof(Particle));
  cudaMemcpy((void*)d_p, (void*)h_p, n * sizeof(Particle), cudaMemcpyHostToDevice);
  advance<<<(n + 255) / 256, 256>>>(d_p, n);
  cudaMemcpy((void*)h_p, (void*)d_p, n * sizeof(Particle), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (int i = 0; i < n; i++) sum += h_p[i].x * (i % 7 + 1);
  printf("%.2f\n", sum);
  cudaFree(d_p);
  delete[] h_p;
  return 0;
}
