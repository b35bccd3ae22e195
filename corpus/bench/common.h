// The loop that every benchmark shares: the host fills the input, the device computes, the host
// reads the output. `mode` says who merged the buffers: 0 nobody (malloc, cudaMalloc, cudaMemcpy),
// 1 by hand with managed memory, 2 with mapped host memory, 3 with registered host memory.
// One JSON line tells times in ms, the copy share, energy if NVML reports it, and a digest of all
// output bytes of the last round together with a checksum over the rounds.
#pragma once
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>
#include <dlfcn.h>
#include <vector>

#define CHECK(call)                                                                                \
  do {                                                                                             \
    auto status_ = (call);                                                                         \
    if (status_ != 0) {                                                                            \
      fprintf(stderr, "%s:%d: %s: status %d\n", __FILE__, __LINE__, #call, (int)status_);          \
      exit(3);                                                                                     \
    }                                                                                              \
  } while (0)

static inline double now_ms() {
  using namespace std::chrono;
  return duration<double, std::milli>(steady_clock::now().time_since_epoch()).count();
}

struct Pair {
  void *host, *device;
  size_t bytes;
};

// One allocation function for all buffers, as buffer classes have: the call sites differ only above.
__attribute__((noinline)) static Pair allocate(size_t bytes, int mode) {
  Pair p{nullptr, nullptr, bytes};
  switch (mode) {
  case 0:
    p.host = malloc(bytes);
    CHECK(cudaMalloc(&p.device, bytes));
    break;
  case 1:
    CHECK(cudaMallocManaged(&p.host, bytes));
    p.device = p.host;
    break;
  case 2:
    CHECK(cudaHostAlloc(&p.host, bytes, cudaHostAllocMapped));
    CHECK(cudaHostGetDevicePointer(&p.device, p.host, 0));
    break;
  default:
    p.host = aligned_alloc(4096, (bytes + 4095) / 4096 * 4096);
    CHECK(cudaHostRegister(p.host, bytes, cudaHostRegisterMapped));
    CHECK(cudaHostGetDevicePointer(&p.device, p.host, 0));
  }
  return p;
}

static void release(Pair p, int mode) {
  switch (mode) {
  case 0: free(p.host); CHECK(cudaFree(p.device)); break;
  case 1: CHECK(cudaFree(p.device)); break;
  case 2: CHECK(cudaFreeHost(p.host)); break;
  default: CHECK(cudaHostUnregister(p.host)); free(p.host);
  }
}

// Millijoules since the driver was loaded; negative if the driver does not report it.
static double energy_mj() {
  typedef int (*Start)();
  typedef int (*Handle)(unsigned, void **);
  typedef int (*Energy)(void *, unsigned long long *);
  static void *library = dlopen("libnvidia-ml.so.1", RTLD_LAZY), *device = nullptr;
  if (!library) return -1;
  static auto start = (Start)dlsym(library, "nvmlInit_v2");
  static auto handle = (Handle)dlsym(library, "nvmlDeviceGetHandleByIndex_v2");
  static auto energy = (Energy)dlsym(library, "nvmlDeviceGetTotalEnergyConsumption");
  if (!start || !handle || !energy) return -1;
  if (!device && (start() || handle(0, &device))) return -1;
  unsigned long long value = 0;
  return energy(device, &value) ? -1 : (double)value;
}

static uint64_t digest_of(const void *data, size_t bytes) {
  uint64_t h = 0xcbf29ce484222325ull;
  auto words = (const uint64_t *)data;
  for (size_t i = 0; i < bytes / 8; i++) h = (h ^ words[i]) * 0x9e3779b97f4a7c15ull, h ^= h >> 29;
  return h;
}

static double percentile(std::vector<double> v, double q) {
  std::sort(v.begin(), v.end());
  return v[std::min(v.size() - 1, (size_t)(q * v.size()))];
}

template <class Compute>
static void bench(const char *name, size_t in_bytes, size_t out_bytes, int argc, char **argv, Compute compute) {
  int mode = argc > 1 ? atoi(argv[1]) : 0, rounds = argc > 2 ? atoi(argv[2]) : 100, warm = rounds / 4 + 3;
  Pair in = allocate(in_bytes, mode);
  Pair out = allocate(out_bytes, mode);
  std::vector<float> image(in_bytes / 4);
  unsigned seed = 1;
  for (auto &x : image) seed = seed * 1664525u + 1013904223u, x = (float)(seed >> 8) / 16777216.f - 0.5f;
  std::vector<double> primary, loop;
  double copies = 0, sum = 0, energy = -1;
  for (int round = 0; round < warm + rounds; round++) {
    if (round == warm) energy = energy_mj();
    double t0 = now_ms();
    memcpy(in.host, image.data(), in_bytes);
    ((float *)in.host)[round % 64] += round * 0.001f;
    double t1 = now_ms();
    if (mode == 0) CHECK(cudaMemcpy(in.device, in.host, in_bytes, cudaMemcpyHostToDevice));
    double t2 = now_ms();
    compute(in.device, out.device);
    double t3 = now_ms();
    if (mode == 0) {
      CHECK(cudaMemcpy(out.host, out.device, out_bytes, cudaMemcpyDeviceToHost));
    } else {
      CHECK(cudaDeviceSynchronize());
    }
    double t4 = now_ms();
    auto result = (const float *)out.host;
    double part = 0;
    for (size_t i = 0; i < out_bytes / 4; i += 16) part += result[i] * (double)result[i];
    double t5 = now_ms();
    if (round >= warm) {
      primary.push_back(t4 - t1), loop.push_back(t5 - t0), sum += sqrt(part), copies += t2 - t1;
    }
    (void)t3;
  }
  double after = energy_mj(), total = 0, inner = 0;
  for (double x : loop) total += x;
  for (double x : primary) inner += x;
  // What a copy alone costs, measured apart: a download in the loop also waits for the kernel.
  double down = 0;
  if (mode == 0) {
    CHECK(cudaDeviceSynchronize());
    double t = now_ms();
    CHECK(cudaMemcpy(out.host, out.device, out_bytes, cudaMemcpyDeviceToHost));
    down = now_ms() - t;
  }
  printf("{\"name\":\"%s\",\"mode\":%d,\"primary_ms\":%.5f,\"primary_p99\":%.5f,\"loop_ms\":%.5f,\"loop_p99\":%.5f,"
         "\"copy_fraction\":%.4f,\"energy_mj\":%.1f,\"pair_bytes\":%zu,\"checksum\":%.9g,\"digest\":\"%016llx\"}\n",
         name, mode, inner / rounds, percentile(primary, 0.99), total / rounds, percentile(loop, 0.99),
         mode == 0 ? (copies + down * rounds) / total : 0.0, energy < 0 || after < 0 ? -1.0 : (after - energy) / rounds,
         in_bytes + out_bytes, sum, (unsigned long long)digest_of(out.host, out_bytes));
  release(in, mode);
  release(out, mode);
}
