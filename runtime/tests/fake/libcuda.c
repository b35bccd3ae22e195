/* A small CUDA driver for tests: device memory that the host cannot reach by its device address,
 * streams whose work runs only when somebody waits for it (or at once with FAKE_EAGER=1), and
 * kernels addressed by name. It keeps a log of calls (FAKE_LOG=file) and answers for the device
 * attributes from the environment: FAKE_CMA, FAKE_PAGEABLE, FAKE_INTEGRATED, FAKE_DRIVER, FAKE_NAME,
 * FAKE_NO_MANAGED, FAKE_NO_REGISTER, FAKE_COPY_NS (cost of a copy per KiB). */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

typedef int CUresult;
typedef uintptr_t CUdeviceptr;
#define API __attribute__((visibility("default")))
#define INVALID 1
#define OUT_OF_MEMORY 2
#define NOT_FOUND 500
#define LEGACY ((void *)1)
#define PER_THREAD ((void *)2)

enum role { DEVICE = 1, MANAGED, PINNED, REGISTERED };
struct block { uintptr_t address, alias; size_t bytes, mapped; enum role role; };
static struct block blocks[4096];
static int block_count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int environment(const char *name, int otherwise) { const char *v = getenv(name); return v ? atoi(v) : otherwise; }
static size_t pages(size_t n) { return (n + 4095) / 4096 * 4096; }
static void cost(size_t n) {
  static int per_kib = -1;
  if (per_kib < 0) per_kib = environment("FAKE_COPY_NS", 0);
  if (!per_kib) return;
  struct timespec t, u;
  clock_gettime(CLOCK_MONOTONIC, &t);
  long want = (long)(n / 1024) * per_kib;
  do clock_gettime(CLOCK_MONOTONIC, &u);
  while ((u.tv_sec - t.tv_sec) * 1000000000L + u.tv_nsec - t.tv_nsec < want);
}
static void say(const char *what) {
  static int file = -2;
  if (file == -2) { const char *p = getenv("FAKE_LOG"); file = p ? open(p, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644) : -1; }
  if (file >= 0) dprintf(file, "%s\n", what);
}

static struct block *holding(uintptr_t a) {
  for (int i = 0; i < block_count; i++)
    if (blocks[i].bytes && a - blocks[i].address < blocks[i].bytes) return &blocks[i];
  return 0;
}
/* The address through which this library may touch what `a` names. */
static char *reach(uintptr_t a) { struct block *b = holding(a); return b ? (char *)(a - b->address + b->alias) : (char *)a; }
static struct block *add(uintptr_t address, uintptr_t alias, size_t bytes, size_t mapped, enum role role) {
  for (int i = 0; i <= block_count && i < 4096; i++)
    if (i == block_count || !blocks[i].bytes) {
      blocks[i] = (struct block){address, alias, bytes, mapped, role};
      if (i == block_count) block_count++;
      return &blocks[i];
    }
  return 0;
}

/* ---- deferred work ---- */
struct work { void *stream; int kind; uintptr_t a, b, c; size_t n; double x; struct work *next; };
static struct work *first, **last = &first;
static int capturing;

static void run(struct work *w) {
  float *a = (float *)reach(w->a), *b = (float *)reach(w->b);
  size_t n = w->n;
  switch (w->kind) {
  case 1: for (size_t i = 0; i < n; i++) b[i] = a[i] * 2 + 1; break;            /* twice: b = 2a + 1 */
  case 2: for (size_t i = 0; i < n; i++) a[i] = a[i] * 1.5f + 1; break;         /* inplace */
  case 3: for (size_t i = 0; i < n; i++) b[i] = a[i]; break;                    /* move */
  case 4: for (size_t i = 0; i < n; i++) a[i] = (float)w->x; break;             /* fill */
  case 5: for (size_t i = 0; i < n; i++) b[i] += a[i]; break;                   /* accumulate */
  case 10: memset(reach(w->a), (int)w->x, n); break;
  case 11: cost(n); memmove(reach(w->a), reach(w->b), n); break;
  default: break;
  }
}
static void submit(void *stream, int kind, uintptr_t a, uintptr_t b, size_t n, double x) {
  struct work *w = calloc(1, sizeof *w);
  *w = (struct work){stream, kind, a, b, 0, n, x, 0};
  if (environment("FAKE_EAGER", 0)) { run(w); free(w); return; }
  *last = w; last = &w->next;
}
/* Runs everything up to the last piece of work of the stream (all work for the default stream). */
static void drain(void *stream, int all) {
  struct work *end = 0;
  for (struct work *w = first; w; w = w->next) if (all || w->stream == stream) end = w;
  while (end) {
    struct work *w = first;
    int done = w == end;
    first = w->next;
    if (!first) last = &first;
    run(w); free(w);
    if (done) break;
  }
}
static void *stream_of(void *s, int per_thread) { if (!s) return per_thread ? PER_THREAD : LEGACY; return s; }

/* ---- start, devices, contexts ---- */
static __thread void *context;
static int context_object;
API CUresult cuInit(unsigned f) { (void)f; return 0; }
API CUresult cuDriverGetVersion(int *v) { *v = environment("FAKE_DRIVER", 13000); return 0; }
API CUresult cuDeviceGetCount(int *n) { *n = 1; return 0; }
API CUresult cuDeviceGet(int *d, int i) { *d = i; return i ? 101 : 0; }
API CUresult cuDeviceGetName(char *name, int n, int d) { (void)d; const char *v = getenv("FAKE_NAME"); snprintf(name, n, "%s", v ? v : "Fake GPU"); return 0; }
API CUresult cuDeviceGetUuid_v2(char *u, int d) { (void)d; memset(u, environment("FAKE_UUID", 7), 16); return 0; }
API CUresult cuDeviceGetAttribute(int *v, int a, int d) {
  (void)d;
  switch (a) {
  case 18: *v = environment("FAKE_INTEGRATED", 1); break;
  case 89: *v = environment("FAKE_CMA", 1); break;
  case 88: *v = environment("FAKE_PAGEABLE", 0); break;
  case 91: *v = 1; break;
  case 83: *v = !environment("FAKE_NO_MANAGED", 0); break;
  case 19: *v = 1; break;
  case 99: *v = !environment("FAKE_NO_REGISTER", 0); break;
  default: *v = 0;
  }
  return 0;
}
API CUresult cuDevicePrimaryCtxRetain(void **c, int d) { (void)d; *c = &context_object; return 0; }
API CUresult cuDevicePrimaryCtxRelease_v2(int d) { (void)d; return 0; }
API CUresult cuCtxGetCurrent(void **c) { *c = context; return 0; }
API CUresult cuCtxSetCurrent(void *c) { context = c; return 0; }
API CUresult cuCtxPushCurrent_v2(void *c) { context = c; return 0; }
API CUresult cuCtxPopCurrent_v2(void **c) { *c = context; context = 0; return 0; }
API CUresult cuCtxGetDevice(int *d) { if (!context) return 201; *d = 0; return 0; }

/* ---- memory ---- */
API CUresult cuMemAlloc_v2(CUdeviceptr *out, size_t n) {
  if (!n) return INVALID;
  say("cuMemAlloc");
  int file = memfd_create("device", MFD_CLOEXEC);
  size_t m = pages(n);
  if (file < 0 || ftruncate(file, m)) return OUT_OF_MEMORY;
  void *seen = mmap(0, m, PROT_NONE, MAP_SHARED, file, 0), *alias = mmap(0, m, 3, MAP_SHARED, file, 0);
  close(file);
  if (seen == MAP_FAILED || alias == MAP_FAILED) return OUT_OF_MEMORY;
  memset(alias, 0xcd, m);
  pthread_mutex_lock(&lock);
  add((uintptr_t)seen, (uintptr_t)alias, n, m, DEVICE);
  pthread_mutex_unlock(&lock);
  *out = (uintptr_t)seen;
  return 0;
}
static CUresult host_block(void **out, size_t n, enum role role) {
  void *p = mmap(0, pages(n), 3, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (p == MAP_FAILED) return OUT_OF_MEMORY;
  memset(p, 0xab, n); /* nobody may count on zeros */
  pthread_mutex_lock(&lock);
  add((uintptr_t)p, (uintptr_t)p, n, pages(n), role);
  pthread_mutex_unlock(&lock);
  *out = p;
  return 0;
}
API CUresult cuMemAllocManaged(CUdeviceptr *out, size_t n, unsigned f) { (void)f; if (environment("FAKE_NO_MANAGED", 0)) return 801; say("cuMemAllocManaged"); return host_block((void **)out, n, MANAGED); }
API CUresult cuMemHostAlloc(void **out, size_t n, unsigned f) { (void)f; say("cuMemHostAlloc"); return host_block(out, n, PINNED); }
API CUresult cuMemHostGetDevicePointer_v2(CUdeviceptr *out, void *p, unsigned f) { (void)f; *out = (uintptr_t)p; return 0; }
static CUresult give_back(uintptr_t a, int device) {
  pthread_mutex_lock(&lock);
  drain(0, 1);
  struct block *b = holding(a);
  CUresult r = INVALID;
  if (b && b->address == a && (device ? b->role == DEVICE || b->role == MANAGED : b->role == PINNED)) {
    if (b->alias != b->address) munmap((void *)b->alias, b->mapped);
    munmap((void *)b->address, b->mapped);
    b->bytes = 0;
    r = 0;
  }
  pthread_mutex_unlock(&lock);
  return r;
}
API CUresult cuMemFree_v2(CUdeviceptr a) { say("cuMemFree"); return a ? give_back(a, 1) : 0; }
API CUresult cuMemFreeHost(void *a) { say("cuMemFreeHost"); return give_back((uintptr_t)a, 0); }
API CUresult cuMemHostRegister_v2(void *p, size_t n, unsigned f) {
  (void)f; say("cuMemHostRegister");
  if (environment("FAKE_NO_REGISTER", 0)) return 801;
  pthread_mutex_lock(&lock);
  add((uintptr_t)p, (uintptr_t)p, n, n, REGISTERED);
  pthread_mutex_unlock(&lock);
  return 0;
}
API CUresult cuMemHostUnregister(void *p) {
  say("cuMemHostUnregister");
  pthread_mutex_lock(&lock);
  drain(0, 1);
  struct block *b = holding((uintptr_t)p);
  if (b && b->role == REGISTERED) b->bytes = 0;
  pthread_mutex_unlock(&lock);
  return 0;
}
API CUresult cuPointerGetAttribute(void *data, int a, CUdeviceptr p) { (void)data; (void)a; (void)p; return 0; }
API CUresult cuPointerGetAttributes(unsigned n, int *a, void **data, CUdeviceptr p) { (void)n; (void)a; (void)data; (void)p; return 0; }
API CUresult cuIpcGetMemHandle(void *h, CUdeviceptr p) { (void)h; (void)p; return 0; }

/* ---- copies ---- */
static CUresult copy(uintptr_t to, uintptr_t from, size_t n, void *stream, int wait, const char *name) {
  say(name);
  pthread_mutex_lock(&lock);
  submit(stream, 11, to, from, n, 0);
  if (wait) drain(stream, stream == LEGACY);
  pthread_mutex_unlock(&lock);
  return 0;
}
/* Pageable memory: the asynchronous forms stage or wait, so the host end is done at return. */
#define COPIES(suffix, q) \
API CUresult cuMemcpyHtoD_v2##suffix(CUdeviceptr d, const void *h, size_t n) { return copy(d, (uintptr_t)h, n, stream_of(0, q), 1, "cuMemcpyHtoD"); } \
API CUresult cuMemcpyDtoH_v2##suffix(void *h, CUdeviceptr d, size_t n) { return copy((uintptr_t)h, d, n, stream_of(0, q), 1, "cuMemcpyDtoH"); } \
API CUresult cuMemcpy##suffix(CUdeviceptr d, CUdeviceptr s, size_t n) { return copy(d, s, n, stream_of(0, q), 1, "cuMemcpy"); } \
API CUresult cuMemcpyDtoD_v2##suffix(CUdeviceptr d, CUdeviceptr s, size_t n) { return copy(d, s, n, stream_of(0, q), 0, "cuMemcpyDtoD"); } \
API CUresult cuMemsetD8_v2##suffix(CUdeviceptr d, unsigned char v, size_t n) { submit(stream_of(0, q), 10, d, 0, n, v); return 0; }
COPIES(, 0)
COPIES(_ptds, 1)
struct memcpy2d { size_t sx, sy; int st; const void *sh; CUdeviceptr sd; void *sa; size_t sp, dx, dy; int dt; void *dh; CUdeviceptr dd; void *da; size_t dp, w, h; };
static CUresult copy2d(const struct memcpy2d *c, void *stream, int wait) {
  for (size_t y = 0; y < c->h; y++)
    copy((c->dt == 1 ? (uintptr_t)c->dh : c->dd) + y * c->dp + c->dx, (c->st == 1 ? (uintptr_t)c->sh : c->sd) + y * c->sp + c->sx, c->w, stream, wait, "cuMemcpy2D");
  return 0;
}
API CUresult cuMemcpy2D_v2(const struct memcpy2d *c) { return copy2d(c, LEGACY, 1); }
API CUresult cuMemcpy2DUnaligned_v2(const struct memcpy2d *c) { return copy2d(c, LEGACY, 1); }

/* ---- streams, events ---- */
struct stream { unsigned flags; };
API CUresult cuStreamCreate(void **s, unsigned f) { struct stream *x = malloc(sizeof *x); x->flags = f; *s = x; return 0; }
API CUresult cuStreamDestroy_v2(void *s) { pthread_mutex_lock(&lock); drain(s, 0); pthread_mutex_unlock(&lock); free(s); return 0; }
static CUresult synchronize(void *s) { say("cuStreamSynchronize"); pthread_mutex_lock(&lock); drain(s, s == LEGACY); pthread_mutex_unlock(&lock); return 0; }
API CUresult cuCtxSynchronize(void) { say("cuCtxSynchronize"); pthread_mutex_lock(&lock); drain(0, 1); pthread_mutex_unlock(&lock); return 0; }
API CUresult cuEventCreate(void **e, unsigned f) { (void)f; *e = malloc(16); return 0; }
API CUresult cuEventSynchronize(void *e) { pthread_mutex_lock(&lock); drain(*(void **)e, 1); pthread_mutex_unlock(&lock); return 0; }

/* ---- kernels ---- */
struct function { const char *name; int kind; };
static struct function functions[] = {{"twice", 1}, {"inplace", 2}, {"move", 3}, {"fill", 4}, {"accumulate", 5}, {"nothing", 0}};
API CUresult cuModuleLoadData(void **m, const void *image) { (void)image; *m = &context_object; return 0; }
API CUresult cuModuleGetFunction(void **f, void *m, const char *name) {
  (void)m;
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
    if (!strcmp(functions[i].name, name)) { *f = &functions[i]; return 0; }
  return NOT_FOUND;
}
static CUresult launch(void *f, void *stream, void **p) {
  say("cuLaunchKernel");
  pthread_mutex_lock(&lock);
  submit(stream, ((struct function *)f)->kind, *(uintptr_t *)p[0], *(uintptr_t *)p[1], *(size_t *)p[2], *(double *)p[3]);
  pthread_mutex_unlock(&lock);
  return 0;
}
#define STREAMS(suffix, q) \
API CUresult cuMemcpyHtoDAsync_v2##suffix(CUdeviceptr d, const void *h, size_t n, void *s) { return copy(d, (uintptr_t)h, n, stream_of(s, q), holding((uintptr_t)h) == 0, "cuMemcpyHtoDAsync"); } \
API CUresult cuMemcpyDtoHAsync_v2##suffix(void *h, CUdeviceptr d, size_t n, void *s) { return copy((uintptr_t)h, d, n, stream_of(s, q), holding((uintptr_t)h) == 0, "cuMemcpyDtoHAsync"); } \
API CUresult cuMemcpyAsync##suffix(CUdeviceptr d, CUdeviceptr a, size_t n, void *s) { return copy(d, a, n, stream_of(s, q), 0, "cuMemcpyAsync"); } \
API CUresult cuStreamSynchronize##suffix(void *s) { return synchronize(stream_of(s, q)); } \
API CUresult cuStreamQuery##suffix(void *s) { return synchronize(stream_of(s, q)); } \
API CUresult cuStreamWaitEvent##suffix(void *s, void *e, unsigned f) { (void)s; (void)e; (void)f; return 0; } \
API CUresult cuEventRecord##suffix(void *e, void *s) { *(void **)e = stream_of(s, q); return 0; } \
API CUresult cuStreamBeginCapture_v2##suffix(void *s, int m) { (void)s; (void)m; capturing = 1; return 0; } \
API CUresult cuStreamEndCapture##suffix(void *s, void **g) { (void)s; *g = &context_object; capturing = 0; return 0; } \
API CUresult cuLaunchKernel##suffix(void *f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, unsigned sh, void *s, void **p, void **e) { (void)gx; (void)gy; (void)gz; (void)bx; (void)by; (void)bz; (void)sh; (void)e; return launch(f, stream_of(s, q), p); }
STREAMS(, 0)
STREAMS(_ptsz, 1)

/* ---- look-up ---- */
#include <dlfcn.h>
API CUresult cuGetProcAddress_v2(const char *name, void **out, int version, uint64_t flags, int *found) {
  if (found) *found = 0;
  static const char *const suffixes[2][4] = {{"_v2", "", 0, 0}, {"_v2_ptds", "_v2_ptsz", "_ptds", "_ptsz"}};
  char full[128];
  static void *self;
  if (!self) { Dl_info i; dladdr((void *)cuInit, &i); self = dlopen(i.dli_fname, RTLD_LAZY | RTLD_NOLOAD); }
  *out = 0;
  for (int per_thread = (flags & 2) != 0; per_thread >= 0 && !*out; per_thread--)
    for (int i = 0; i < 4 && !*out; i++)
      if (suffixes[per_thread][i]) {
        snprintf(full, sizeof full, "%s%s", name, suffixes[per_thread][i]);
        *out = dlvsym(self, full, "FAKE_1");
      }
  (void)version;
  return *out ? 0 : NOT_FOUND;
}
