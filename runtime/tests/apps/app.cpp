// One program with many behaviours, named by its first argument; rounds by its second.
// Built in several ways: LOOKUP (as the static CUDA runtime reaches the driver), else linked to the
// driver; PER_THREAD; NEW (buffers from operator new); LIBRARY (everything in a shared object).
#include <dlfcn.h>
#include <fcntl.h>
#include <malloc.h>
#include <new>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

typedef int R;
typedef uintptr_t P;
#define FUNCTIONS(X) \
  X(cuInit, cuInit, (unsigned)) \
  X(cuDeviceGet, cuDeviceGet, (int *, int)) \
  X(cuDevicePrimaryCtxRetain, cuDevicePrimaryCtxRetain, (void **, int)) \
  X(cuCtxSetCurrent, cuCtxSetCurrent, (void *)) \
  X(cuMemAlloc, cuMemAlloc_v2, (P *, size_t)) \
  X(cuMemFree, cuMemFree_v2, (P)) \
  X(cuMemHostRegister, cuMemHostRegister_v2, (void *, size_t, unsigned)) \
  X(cuIpcGetMemHandle, cuIpcGetMemHandle, (void *, P)) \
  X(cuPointerGetAttribute, cuPointerGetAttribute, (void *, int, P)) \
  X(cuModuleLoadData, cuModuleLoadData, (void **, const void *)) \
  X(cuModuleGetFunction, cuModuleGetFunction, (void **, void *, const char *)) \
  X(cuCtxSynchronize, cuCtxSynchronize, (void)) \
  X(cuStreamCreate, cuStreamCreate, (void **, unsigned)) \
  X(cuEventCreate, cuEventCreate, (void **, unsigned)) \
  X(cuEventSynchronize, cuEventSynchronize, (void *))
#define THREAD_FUNCTIONS(X) \
  X(cuMemcpyHtoD, cuMemcpyHtoD_v2, ptds, (P, const void *, size_t)) \
  X(cuMemcpyDtoH, cuMemcpyDtoH_v2, ptds, (void *, P, size_t)) \
  X(cuMemcpy, cuMemcpy, ptds, (P, P, size_t)) \
  X(cuMemsetD8, cuMemsetD8_v2, ptds, (P, unsigned char, size_t)) \
  X(cuMemcpyHtoDAsync, cuMemcpyHtoDAsync_v2, ptsz, (P, const void *, size_t, void *)) \
  X(cuMemcpyDtoHAsync, cuMemcpyDtoHAsync_v2, ptsz, (void *, P, size_t, void *)) \
  X(cuStreamSynchronize, cuStreamSynchronize, ptsz, (void *)) \
  X(cuEventRecord, cuEventRecord, ptsz, (void *, void *)) \
  X(cuStreamBeginCapture, cuStreamBeginCapture_v2, ptsz, (void *, int)) \
  X(cuStreamEndCapture, cuStreamEndCapture, ptsz, (void *, void **)) \
  X(cuLaunchKernel, cuLaunchKernel, ptsz, (void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **, void **))

#ifdef PER_THREAD
#define FLAG 2
#define NAME(base, suffix) base##_##suffix
#else
#define FLAG 0
#define NAME(base, suffix) base
#endif
#ifdef LOOKUP
#define DECLARE(n, e, a) static R(*p_##n) a;
#define DECLARE_T(n, e, s, a) static R(*p_##n) a;
FUNCTIONS(DECLARE) THREAD_FUNCTIONS(DECLARE_T)
static void resolve() {
  void *h = dlopen("libcuda.so.1", RTLD_NOW);
  if (!h) { fprintf(stderr, "no driver\n"); exit(9); }
  typedef R (*lookup)(const char *, void **, int, uint64_t, int *);
  lookup f = (lookup)dlsym(h, "cuGetProcAddress_v2");
  void *again = 0;
  if (f("cuGetProcAddress", &again, 12000, FLAG, 0) == 0 && again) f = (lookup)again;
#define FIND(n, e, a) f(#n, (void **)&p_##n, 3020, FLAG, 0); /* as the runtime asks: by age of the interface */
#define FIND_T(n, e, s, a) FIND(n, e, a)
  FUNCTIONS(FIND) THREAD_FUNCTIONS(FIND_T)
}
#define cu(n) p_##n
#else
#define DECLARE(n, e, a) extern "C" R e a; static R(*p_##n) a = e;
#define DECLARE_T2(n, e, a) extern "C" R e a; static R(*p_##n) a = e;
#define DECLARE_T1(n, e, a) DECLARE_T2(n, e, a)
#define DECLARE_T(n, e, s, a) DECLARE_T1(n, NAME(e, s), a)
// Not every driver has these.
#pragma weak cuIpcGetMemHandle
#pragma weak cuStreamBeginCapture_v2
#pragma weak cuStreamBeginCapture_v2_ptsz
#pragma weak cuStreamEndCapture
#pragma weak cuStreamEndCapture_ptsz
FUNCTIONS(DECLARE) THREAD_FUNCTIONS(DECLARE_T)
static void resolve() {}
#define cu(n) p_##n
#endif
// A driver may lack what only some behaviours use: calling that ends the program by a signal.
#define CK(x) do { R r_ = (x); if (r_) { fprintf(stderr, "%s -> %d\n", #x, r_); exit(8); } } while (0)

static const size_t N = 1 << 20;
static const char *behaviour = "good";
static bool is(const char *b) { return !strcmp(behaviour, b); }

#ifdef NEW
static float *host_in(size_t n) { return new float[n / 4]; }
static float *host_out(size_t n) { return new float[n / 4]; }
static void host_free(float *p) { delete[] p; }
#else
// Every function that gives memory which free takes back.
static void *any_form(size_t n) {
  void *p = 0;
  if (is("calloc")) return calloc(1, n);
  if (is("grown")) return realloc(malloc(64), n);
  if (is("reallocarray")) return reallocarray(0, n / 4, 4);
  if (is("posix_memalign")) return posix_memalign(&p, 256, n) ? 0 : p;
  if (is("aligned_alloc")) return aligned_alloc(4096, n);
  if (is("memalign")) return memalign(128, n);
  if (is("valloc")) return valloc(n);
  if (is("pvalloc")) return pvalloc(n);
  if (is("aligned-new")) return ::operator new(n, std::align_val_t(64));
  return malloc(n);
}
__attribute__((noinline)) static float *host_in(size_t n) { float *p = (float *)any_form(n); return p; }
__attribute__((noinline)) static float *host_out(size_t n) { float *p = (float *)malloc(n); asm volatile("" ::: "memory"); return p; }
static void host_free(float *p) { free(p); }
#endif
__attribute__((noinline)) static P device_in(size_t n) { P p; CK(cu(cuMemAlloc)(&p, n)); asm volatile("" ::: "memory"); return p; }
__attribute__((noinline)) static P device_out(size_t n) { P p; CK(cu(cuMemAlloc)(&p, n)); asm volatile("nop" ::: "memory"); return p; }

// The kernels' file, if the driver needs one.
static const char *image() {
  static char bytes[1 << 20];
  const char *path = getenv("KERNELS");
  FILE *f = path ? fopen(path, "rb") : 0;
  if (!f) return bytes;
  if (fread(bytes, 1, sizeof bytes, f) == sizeof bytes) exit(6);
  fclose(f);
  return bytes;
}
static void *function(const char *name) { static void *module; void *f; if (!module) CK(cu(cuModuleLoadData)(&module, image())); CK(cu(cuModuleGetFunction)(&f, module, name)); return f; }
static void launch(const char *name, P a, P b, double x, void *stream) {
  size_t n = N / 4;
  void *p[] = {&a, &b, &n, &x};
  CK(cu(cuLaunchKernel)(function(name), 1, 1, 1, 1, 1, 1, 0, stream, p, 0));
}

static float *hi, *ho;
static volatile float sink;
static void *toucher(void *how) {
  if (how) { sigset_t all; sigfillset(&all); pthread_sigmask(SIG_BLOCK, &all, 0); sink = hi[100]; }
  else hi[5] = 9;
  return 0;
}
static void other_thread(void *how) { pthread_t t; pthread_create(&t, 0, toucher, how); pthread_join(t, 0); }

// What the host does between the launch and the download.
static void in_window(int round) {
  if (round < 2) return;
  if (is("read")) sink = hi[100];
  if (is("write")) hi[5] = 9;
  if (is("thread-write")) other_thread(0);
  if (is("blocked-thread")) other_thread((void *)1);
  if (is("read-call")) { int f = open("/dev/zero", O_RDONLY); printf("read %zd\n", read(f, hi, 4096)); close(f); }
  if (is("write-call")) { int f[2]; if (pipe(f)) exit(7); printf("write %zd\n", write(f[1], hi, 4096)); close(f[0]); close(f[1]); }
  if (is("fread")) { FILE *f = fopen("/dev/zero", "rb"); printf("fread %zu\n", fread(hi, 1, 65536, f)); fclose(f); }
  // Nothing uses the input any more, but a kernel is unfinished: allowed only with concurrent access.
  if (is("exclusive")) { CK(cu(cuCtxSynchronize)()); launch("nothing", 0, 0, 0, 0); hi[3] = 1; }
  if (is("register")) cu(cuMemHostRegister)(hi, N, 0);
}

extern "C" int run(int argc, char **argv) {
  if (argc > 1) behaviour = argv[1];
  int rounds = argc > 2 ? atoi(argv[2]) : 6;
  setvbuf(stdout, 0, _IOLBF, 0);
  resolve();
  if (is("no-gpu")) { printf("nothing\n"); return 0; }
  void *context;
  int device;
  CK(cu(cuInit)(0)); CK(cu(cuDeviceGet)(&device, 0)); CK(cu(cuDevicePrimaryCtxRetain)(&context, device)); CK(cu(cuCtxSetCurrent)(context));
  void *stream = 0, *stream2 = 0, *event = 0;
  if (is("async") || is("two-streams") || is("no-wait") || is("event")) CK(cu(cuStreamCreate)(&stream, 1));
  CK(cu(cuStreamCreate)(&stream2, 1));
  CK(cu(cuEventCreate)(&event, 0));
  P di, d_o;
  if (is("device-first")) { di = device_in(N); d_o = device_out(N); hi = host_in(N); ho = host_out(N); }
  else { hi = host_in(N); di = device_in(N); ho = host_out(is("size") ? N + 4096 : N); d_o = device_out(N); }
  float *second_h = 0; P second_d = 0;
  if (is("two-h")) second_h = host_in(N);
  if (is("two-d")) second_d = device_out(N);
  if (is("fresh-output")) { host_free(ho); ho = 0; }
  double total = 0;
  for (int round = 0; round < rounds; round++) {
    if (is("crash") && round == 3) raise(SIGSEGV);
    if (is("hang") && round == 3) for (;;) pause();
    if (is("kill-self") && round == 3) kill(getpid(), SIGKILL);
    if (is("pairs-each-round") && round) { hi = host_in(N); di = device_in(N); ho = host_out(N); d_o = device_out(N); }
    if (is("fresh-output")) { host_free(ho); ho = host_out(N); }
    if (is("cleared-output")) { host_free(ho); ho = (float *)calloc(1, N); }
    float *h = is("two-h") && round % 2 ? second_h : hi;
    P d = is("two-d") && round % 2 ? second_d : di;
    if (!(is("inplace") && round)) for (size_t i = 0; i < N / 4; i++) h[i] = (float)(round + i % 7);
    if (stream) CK(cu(cuMemcpyHtoDAsync)(d, h, N, stream));
    else if (is("unified")) CK(cu(cuMemcpy)(d, (P)h, N));
    else CK(cu(cuMemcpyHtoD)(d, h, N));
    if (is("partial")) CK(cu(cuMemcpyHtoD)(d + 4096, (char *)h + 4096, 8192));
    if (is("fill")) CK(cu(cuMemsetD8)(d_o, 0, N));
    if (is("capture")) { void *graph; CK(cu(cuStreamBeginCapture)(stream2, 0)); CK(cu(cuStreamEndCapture)(stream2, &graph)); }
    if (is("inplace")) { launch("inplace", d, d, 0, 0); launch("move", d, d_o, 0, 0); }
    else if (is("two-streams")) { CK(cu(cuStreamSynchronize)(stream)); launch("twice", d, d_o, 0, stream2); CK(cu(cuStreamSynchronize)(stream2)); }
    else launch("twice", d, d_o, 0, stream);
    in_window(round);
    if (is("export")) { char handle[64]; CK(cu(cuIpcGetMemHandle)(handle, d)); }
    if (is("query")) { uint64_t data; cu(cuPointerGetAttribute)(&data, 2, (P)h); } // it may know nothing of h
    if (is("fork")) { pid_t child = fork(); if (!child) { float s = 0; for (size_t i = 0; i < N / 4; i += 16) s += hi[i]; hi[0] = -1; _exit(s == 0); } int status; waitpid(child, &status, 0); printf("child %d\n", status); }
    if (is("sync-first")) CK(cu(cuCtxSynchronize)());
    if (is("free-early")) { CK(cu(cuMemFree)(di)); di = device_in(N); }
    if (stream && is("event")) { CK(cu(cuMemcpyDtoHAsync)(ho, d_o, N, stream)); CK(cu(cuEventRecord)(event, stream)); CK(cu(cuEventSynchronize)(event)); }
    else if (stream) { CK(cu(cuMemcpyDtoHAsync)(ho, d_o, N, stream)); if (!is("no-wait")) CK(cu(cuStreamSynchronize)(stream)); }
    else if (is("unified")) CK(cu(cuMemcpy)((P)ho, d_o, N));
    else CK(cu(cuMemcpyDtoH)(ho, d_o, N));
    double sum = 0;
    for (size_t i = 0; i < N / 4; i += 16) sum += ho[i];
    total += sum;
    printf("round %d %.1f\n", round, sum);
    if (is("realloc")) { float *moved = (float *)realloc(hi, N + 4096); hi = moved; }
    if (is("pairs-each-round") && round + 1 < rounds) { CK(cu(cuMemFree)(d_o)); host_free(hi); host_free(ho); CK(cu(cuMemFree)(di)); }
  }
  if (is("free-device-first")) { CK(cu(cuMemFree)(di)); CK(cu(cuMemFree)(d_o)); for (size_t i = 0; i < N / 4; i += 16) total += ho[i] + hi[i]; host_free(hi); host_free(ho); }
  else { host_free(hi); host_free(ho); CK(cu(cuMemFree)(di)); CK(cu(cuMemFree)(d_o)); }
  printf("total %.1f\n", total);
  return is("exit-7") ? 7 : 0;
}
#ifndef LIBRARY
int main(int argc, char **argv) { return run(argc, argv); }
#endif
