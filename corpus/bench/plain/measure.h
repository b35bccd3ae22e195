// What the plain programs share: checks, times, the input, and one JSON line at the end.
#pragma once
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>
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

// The times of the rounds after warming up, in ms.
struct Times {
  int warm;
  std::vector<double> primary, loop;
  explicit Times(int rounds) : warm(rounds / 4 + 3) {}
  void add(int round, double start, double filled, double computed, double read) {
    if (round < warm) return;
    primary.push_back(computed - filled);
    loop.push_back(read - start);
  }
};

static double percentile(std::vector<double> v, double q) {
  std::sort(v.begin(), v.end());
  return v[std::min(v.size() - 1, (size_t)(q * v.size()))];
}

static double mean(const std::vector<double> &v) {
  double sum = 0;
  for (double x : v) sum += x;
  return sum / v.size();
}

// The picture that each round starts from: numbers in [-0.5, 0.5).
static std::vector<float> make_image(size_t count) {
  std::vector<float> image(count);
  unsigned seed = 1;
  for (auto &x : image) seed = seed * 1664525u + 1013904223u, x = (float)(seed >> 8) / 16777216.f - 0.5f;
  return image;
}

static double checksum(const float *result, size_t count) {
  double part = 0;
  for (size_t i = 0; i < count; i += 16) part += result[i] * (double)result[i];
  return sqrt(part);
}

static uint64_t digest_of(const float *result, size_t count) {
  uint64_t h = 0xcbf29ce484222325ull;
  for (size_t i = 0; i < count; i++) {
    uint32_t word;
    memcpy(&word, result + i, sizeof word);
    h = (h ^ word) * 0x9e3779b97f4a7c15ull, h ^= h >> 29;
  }
  return h;
}

static void report(const char *name, const Times &times, size_t pair_bytes, double sum, uint64_t digest) {
  printf("{\"name\":\"%s\",\"primary_ms\":%.5f,\"primary_p99\":%.5f,\"loop_ms\":%.5f,\"loop_p99\":%.5f,"
         "\"pair_bytes\":%zu,\"checksum\":%.9g,\"digest\":\"%016llx\"}\n",
         name, mean(times.primary), percentile(times.primary, 0.99), mean(times.loop), percentile(times.loop, 0.99),
         pair_bytes, sum, (unsigned long long)digest);
}
