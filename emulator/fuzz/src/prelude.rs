//! The text that all programs share: `@T` stands for the type of the elements, `@t` for its letter.

/// Headers and the macro that checks calls.
pub(crate) const HEADERS: &str = "#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <numeric>
#include <thread>
#include <vector>

#define CHECK(call)                                               \\
  do {                                                            \\
    cudaError_t status = (call);                                  \\
    if (status != cudaSuccess) {                                  \\
      fprintf(stderr, \"CUDA: %s\\n\", cudaGetErrorString(status)); \\
      exit(3);                                                    \\
    }                                                             \\
  } while (0)

static inline int count_of(const char* text) {
  return atoi(text);
}

template <class T, class F>
__global__ void apply(T* v, int n, F f) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) v[i] = f(v[i]);
}
";

/// Device code for each type of element. All arithmetic is exact in `float`, so that every device gives the same.
pub(crate) const KERNELS: &str = "
struct View_@t {
  @T* data;
  int n;
};

struct Shrink_@t {
  @T by;
  __host__ __device__ @T operator()(@T x) const { return x / 2 + by; }
};

template __global__ void apply<@T, Shrink_@t>(@T*, int, Shrink_@t);

static __global__ void update_@t(@T* v, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) v[i] = v[i] / 2 + i % 17;
}

static __global__ void ramp_@t(@T* v, int n, int k) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) v[i] = i % 23 + k;
}

static __global__ void map_@t(@T* out, const @T* __restrict__ in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[n - 1 - i] + 3;
}

static __global__ void add_@t(@T* out, const @T* in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = out[i] / 2 + in[i];
}

static __global__ void half_@t(@T* v, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n / 2) v[i] = 40 + i % 5;
}

static __global__ void touch_@t(@T* v, int n) {
  v[n / 3] += 7;
}

static __global__ void clamp_@t(@T* v, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && v[i] > 20) v[i] = 20;
}

static __global__ void view_@t(View_@t view) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < view.n) view.data[i] = view.data[i] / 2 + 9;
}

__device__ @T table_@t[256];
__constant__ @T fixed_@t[256];

static __global__ void blend_table_@t(@T* v, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) v[i] = v[i] / 2 + table_@t[i];
}

static __global__ void blend_fixed_@t(@T* v, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) v[i] = v[i] / 2 + fixed_@t[n - 1 - i];
}

static __global__ void save_@t(const @T* v, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) table_@t[i] = v[i] / 2 + 1;
}

static __global__ void total_@t(@T* out, const @T* in, int n) {
  __shared__ @T part[32];
  part[threadIdx.x] = 0;
  for (int i = threadIdx.x; i < n; i += 32) part[threadIdx.x] += (@T)((int)in[i] % 64);
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int i = 0; i < 32; i++) out[0] += part[i];
    out[0] = (@T)((int)out[0] % 1000);
  }
}
";

/// What the functions need.
pub(crate) const DECLARATIONS: &str = "
static @T* last_@t;
";

/// Functions of the host for each type of element: signature and body.
pub(crate) const FUNCTIONS: [(&str, &str); 11] = [
    (
        "unsigned long weigh_@t(const @T* v, int low, int high)",
        "
  unsigned long s = 0;
  for (int i = low; i < high; i++) s = s * 31 + (unsigned long)(long)(v[i] * 4);
  return s;
",
    ),
    (
        "void fill_@t(@T* v, int low, int high, int k)",
        "
  for (int i = low; i < high; i++) v[i] = (i * 7 + k) % 101;
",
    ),
    (
        "void bump_@t(@T* v, int low, int high)",
        "
  if (low >= high) return;
  for (int i = low; i < high; i++) v[i] = v[i] / 2 + 5;
",
    ),
    (
        "void later_@t(void* data)",
        "
  @T* v = (@T*)data;
  for (int i = 0; i < 64; i++) v[i] = v[i] / 2 + 8;
",
    ),
    (
        "void run_update_@t(@T* v, int n, cudaStream_t stream)",
        "
  update_@t<<<(n + 31) / 32, 32, 0, stream>>>(v, n);
",
    ),
    (
        "void run_ramp_@t(@T* v, int n, int k, cudaStream_t stream)",
        "
  ramp_@t<<<(n + 31) / 32, 32, 0, stream>>>(v, n, k);
",
    ),
    (
        "void run_map_@t(@T* out, const @T* in, int n, cudaStream_t stream)",
        "
  map_@t<<<(n + 31) / 32, 32, 0, stream>>>(out, in, n);
",
    ),
    (
        "void run_add_@t(@T* out, const @T* in, int n, cudaStream_t stream)",
        "
  dim3 grid((n + 31) / 32), block(32);
  add_@t<<<grid, block, 0, stream>>>(out, in, n);
",
    ),
    (
        "void run_half_@t(@T* v, int n, cudaStream_t stream)",
        "
  half_@t<<<(n + 31) / 32, 32, 0, stream>>>(v, n);
",
    ),
    (
        "void run_touch_@t(@T* v, int n, cudaStream_t stream)",
        "
  touch_@t<<<1, 1, 0, stream>>>(v, n);
",
    ),
    (
        "void run_clamp_@t(@T* v, int n, cudaStream_t stream)",
        "
  clamp_@t<<<(n + 31) / 32, 32, 0, stream>>>(v, n);
",
    ),
];

/// The function that checks calls: signature and body.
pub(crate) const CHECK: (&str, &str) = (
    "void check(cudaError_t status, int line)",
    "
  if (status == cudaSuccess) return;
  fprintf(stderr, \"%d: %s\\n\", line, cudaGetErrorString(status));
  exit(3);
",
);

/// The types of one program: `@p` is its prefix.
pub(crate) const BUFFERS: &str = "
struct @pBuffers {
  @T* host;
  @T* device;
};
";

/// A pair whose device side goes with the object.
pub(crate) const OWNER: &str = "
class @pOwner {
 public:
  @T* host;
  @T* device;
  @pOwner() : host(nullptr), device(nullptr) {}
  ~@pOwner() {
    if (device) cudaFree(device);
  }
  void upload(size_t bytes) { cudaMemcpy(device, host, bytes, cudaMemcpyHostToDevice); }
  void download(size_t bytes) { cudaMemcpy(host, device, bytes, cudaMemcpyDeviceToHost); }
};
";

/// A device buffer that goes with the object.
pub(crate) const BLOCK: &str = "
class @pBlock {
 public:
  @T* data;
  explicit @pBlock(size_t bytes) : data(nullptr) { cudaMalloc((void**)&data, bytes); }
  ~@pBlock() { release(); }
  void release() {
    if (data) cudaFree(data);
    data = nullptr;
  }
};
";

/// Copies in functions.
pub(crate) const COPIERS: &str = "
static void @pupload(@T* device, const @T* host, size_t bytes) {
  cudaMemcpy(device, host, bytes, cudaMemcpyHostToDevice);
}

static void @pdownload(@T* host, const @T* device, size_t bytes) {
  cudaMemcpy(host, device, bytes, cudaMemcpyDeviceToHost);
}
";

/// Allocations and frees in functions.
pub(crate) const ALLOCATORS: &str = "
static @T* @pmake_host(size_t bytes) {
  return (@T*)malloc(bytes);
}

static void @pmake_device(@T** pointer, size_t bytes) {
  cudaError_t status = cudaMalloc((void**)pointer, bytes);
  if (status != cudaSuccess) {
    *pointer = nullptr;
    return;
  }
}

static void @pdrop_host(@T* pointer) {
  if (pointer == nullptr) return;
  free(pointer);
}

static void @pdrop_device(@T* pointer) {
  cudaFree(pointer);
}
";
