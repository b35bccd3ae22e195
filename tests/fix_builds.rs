//! What the build says of a file is part of what the file means.

mod fix_support;

use fix_support::Tree;

const PROGRAM: &str = r#"#include <cstdio>
#include <cstdlib>
#ifndef OBSERVE
#define OBSERVE(p) (void)(p)
#endif
__global__ void scale(float* v, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) v[i] *= 2.0f;
}
int main() {
  const int n = 1 << 20;
  float* h = (float*)malloc(n * sizeof(float));
  float* d;
  cudaMalloc(&d, n * sizeof(float));
  for (int i = 0; i < n; i++) h[i] = i;
  cudaMemcpy(d, h, n * sizeof(float), cudaMemcpyHostToDevice);
  scale<<<n / 256, 256>>>(d, n);
  OBSERVE(h);
  cudaMemcpy(h, d, n * sizeof(float), cudaMemcpyDeviceToHost);
  printf("%f\n", h[7]);
  cudaFree(d);
  free(h);
}
"#;

const DATABASE: &str = r#"[
  {"directory": ".", "file": "a.cu", "command": "nvcc -c a.cu -o a.o"},
  {"directory": ".", "file": "a.cu", "command": "nvcc WORD -c a.cu -o a_test.o"}
]"#;

#[test]
fn a_file_that_is_compiled_in_two_ways_is_changed_only_if_both_allow_it() {
    for (word, expected) in [
        ("-DWORD", "can merge 1 pair"),
        (r#"'-DOBSERVE(p)=printf(\"%f\", (p)[3])'"#, "can merge 0 pairs"),
    ] {
        let tree = Tree::new();
        tree.write("a.cu", PROGRAM);
        tree.write("compile_commands.json", DATABASE.replace("WORD", word));
        tree.echo_fix(&["a.cu", "-p", "."]).expect(0, expected);
    }
}

const LIBRARY: &str = r#"#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <cstdlib>
int main() {
  const int n = 1 << 20;
  cudaStream_t s;
  cudaStreamCreate(&s);
  cublasHandle_t blas;
  cublasCreate(&blas);
  cublasSetStream(blas, s);
  float* h = (float*)malloc(n * sizeof(float));
  float *d, *e, one = 1;
  cudaMalloc(&d, n * sizeof(float));
  cudaMalloc(&e, n * sizeof(float));
  for (int i = 0; i < n; i++) h[i] = i;
  cudaMemcpy(d, h, n * sizeof(float), cudaMemcpyHostToDevice);
  cublasSaxpy(blas, n, &one, d, 1, e, 1);
  cudaStreamSynchronize(0);
  for (int i = 0; i < n; i++) h[i] = 1;
  cudaMemcpy(d, h, n * sizeof(float), cudaMemcpyHostToDevice);
  cublasSaxpy(blas, n, &one, d, 1, e, 1);
  cudaDeviceSynchronize();
  cudaFree(d);
  cudaFree(e);
  free(h);
}
"#;

/// Under per-thread default streams `cudaStreamSynchronize(0)` does not wait for the library's stream.
#[test]
fn the_default_stream_is_what_the_file_or_its_makefile_makes_it() {
    let tree = Tree::new();
    tree.write("a.cpp", LIBRARY);
    tree.echo_fix(&["a.cpp"]).expect(0, "can merge 1 pair");
    tree.write("Makefile", "a: a.cpp\n\tnvcc --default-stream per-thread a.cpp\n");
    tree.echo_fix(&["a.cpp"]).expect(0, "can merge 0 pairs");

    let tree = Tree::new();
    tree.write("a.cpp", format!("#define CUDA_API_PER_THREAD_DEFAULT_STREAM\n{LIBRARY}"));
    tree.echo_fix(&["a.cpp"]).expect(0, "can merge 0 pairs");
}

#[test]
fn a_header_that_the_makefile_includes_by_force_is_read() {
    let tree = Tree::new();
    tree.write("a.cu", PROGRAM);
    tree.echo_fix(&["a.cu"]).expect(0, "can merge 1 pair");
    tree.write("Makefile", "-include deps.mk\na: a.cu\n\tnvcc -include watch.h a.cu\n");
    tree.write("watch.h", "#include <cstdio>\n#define OBSERVE(p) printf(\"%f\", (p)[3])\n");
    tree.echo_fix(&["a.cu"]).expect(0, "can merge 0 pairs");
}
