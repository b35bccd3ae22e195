// Times of single calls in ns, one per line: what interposition adds shows by comparison.
#include <algorithm>
#include <chrono>
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
typedef int (*Lookup)(const char *, void **, int, uint64_t, int *);
static Lookup lookup;
template <class F> static F find(const char *name) {
  void *p = nullptr;
  if (lookup(name, &p, 3020, 0, nullptr)) exit(9);
  return (F)p;
}
template <class F> static double best(int repeats, int calls, F body) {
  double least = 1e30;
  for (int r = 0; r < repeats; r++) {
    auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < calls; i++) body();
    double ns = std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - start).count();
    least = std::min(least, ns / calls);
  }
  return least;
}
static void pair(size_t bytes) { void *volatile p = malloc(bytes); free(p); }
int main() {
  void *library = dlopen("libcuda.so.1", RTLD_NOW);
  lookup = (Lookup)dlsym(library, "cuGetProcAddress_v2");
  auto retain = find<int (*)(void **, int)>("cuDevicePrimaryCtxRetain");
  auto current = find<int (*)(void *)>("cuCtxSetCurrent");
  auto allocate = find<int (*)(uintptr_t *, size_t)>("cuMemAlloc");
  auto upload = find<int (*)(uintptr_t, const void *, size_t)>("cuMemcpyHtoD");
  auto download = find<int (*)(void *, uintptr_t, size_t)>("cuMemcpyDtoH");
  auto wait = find<int (*)(void *)>("cuStreamSynchronize");
  void *context;
  retain(&context, 0);
  current(context);
  const size_t bytes = 256 << 10;
  void *h = malloc(bytes);
  uintptr_t d;
  if (allocate(&d, bytes)) return 9;
  memset(h, 1, bytes);
  printf("malloc-64 %.2f\n", best(9, 2000000, [] { pair(64); }));
  printf("malloc-100k %.2f\n", best(9, 500000, [] { pair(100000); }));
  printf("malloc-300k %.2f\n", best(5, 20000, [] { pair(300000); }));
  printf("wait %.2f\n", best(5, 2000, [&] { wait(nullptr); }));
  printf("upload %.2f\n", best(5, 2000, [&] { upload(d, h, bytes); }));
  printf("download %.2f\n", best(5, 2000, [&] { download(h, d, bytes); }));
}
