//! What the shared text has for the forms of handing on a pointer: `@T` stands for the type of the elements, `@t` for
//! its letter.

/// Types and device code.
pub(crate) const FORM_KERNELS: &str = "
typedef @T Line_@t[64];
typedef @T Lines_@t[];

struct Span_@t {
  @T* v;
  __host__ __device__ @T& operator[](int i) const { return v[i]; }
};

struct Range_@t {
  @T* first;
  @T* last;
  @T* begin() const { return first; }
  @T* end() const { return last; }
};

struct Cells_@t {
  @T* v;
  int n;
  void fill(int low, int high, int k) {
    for (int i = low; i < high; i++) v[i] = (i * 3 + k) % 89;
  }
  void bump(int low, int high) {
    for (int i = low; i < high; i++) v[i] = v[i] / 2 + 6;
  }
  unsigned long weigh(int low, int high) const {
    unsigned long s = 0;
    for (int i = low; i < high; i++) s = s * 31 + (unsigned long)(long)(v[i] * 4);
    return s;
  }
  __device__ void step(int i) const {
    if (i < n) v[i] = v[i] / 2 + i % 7;
  }
};

static __device__ void put_@t(@T v[], int i) {
  v[i] = v[i] / 2 + i % 9;
}

static __device__ @T* at_@t(@T* v, int i) {
  return v + i;
}

template <class V>
__global__ void any_@t(V v, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) v[i] = v[i] / 2 + i % 19;
}

template __global__ void any_@t<@T*>(@T*, int);

static __global__ void open_@t(@T v[], int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) v[i] = v[i] / 2 + i % 5;
}

static __global__ void sized_@t(@T v[64], int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) v[i] = v[i] / 2 + i % 6;
}

static __global__ void rows_@t(@T v[][2], int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) v[i / 2][i % 2] = v[i / 2][i % 2] / 2 + i % 8;
}

static __global__ void row_pointer_@t(@T (*v)[2], int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n / 2) {
    @T* row = v[i];
    row[0] = row[0] / 2 + 1;
    row[1] = row[1] / 2 + i % 10;
  }
}

static __global__ void named_@t(Lines_@t v, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) v[i] = v[i] / 2 + i % 11;
}

static __global__ void span_@t(Span_@t v, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) v[i] = v[i] / 2 + i % 12;
}

static __global__ void cells_@t(Cells_@t cells) {
  cells.step(blockIdx.x * blockDim.x + threadIdx.x);
}

static __global__ void inner_@t(@T* v, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) put_@t(v, i);
}

static __global__ void returned_@t(@T* v, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) *at_@t(v, i) = *at_@t(v, i) / 2 + i % 14;
}

static __global__ void gather_@t(@T out[], const @T in[], int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[n - 1 - i] + i % 4;
}
";

/// Functions of the host: signature and body.
pub(crate) const FORM_FUNCTIONS: [(&str, &str); 8] = [
    ("@T* same_@t(@T* v)", " return v; "),
    ("@T* place_@t(@T* v, int i)", " return &v[i]; "),
    (
        "unsigned long weigh_to_@t(const @T* v, int high, int low = 0)",
        "
  unsigned long s = 0;
  for (int i = low; i < high; i++) s = s * 31 + (unsigned long)(long)(v[i] * 4);
  return s;
",
    ),
    (
        "void fill_to_@t(@T* v, int high, int low = 0, int k = 4)",
        "
  for (int i = low; i < high; i++) v[i] = (i * 7 + k) % 83;
",
    ),
    (
        "void bump_to_@t(@T* v, int high, int low = 0, int k = 4)",
        "
  for (int i = low; i < high; i++) v[i] = v[i] / 2 + k;
",
    ),
    (
        "unsigned long weigh_all_@t(const @T v[], int low, int high)",
        "
  unsigned long s = 0;
  for (int i = low; i < high; i++) s = s * 31 + (unsigned long)(long)(v[i] * 4);
  return s;
",
    ),
    (
        "void fill_all_@t(@T v[], int low, int high, int k)",
        "
  for (int i = low; i < high; i++) v[i] = (i * 7 + k) % 79;
",
    ),
    (
        "void bump_all_@t(@T v[64], int low, int high)",
        "
  for (int i = low; i < high; i++) v[i] = v[i] / 2 + 7;
",
    ),
];
