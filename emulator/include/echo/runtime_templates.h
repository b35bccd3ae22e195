// The typed forms that CUDA's headers add to the runtime API for C++.
#pragma once
#define ECHO_TYPED template <class T> static inline cudaError_t
ECHO_TYPED cudaMalloc(T **p, size_t n) { return cudaMalloc((void **)p, n); }
ECHO_TYPED cudaMallocAsync(T **p, size_t n, cudaStream_t s) { return cudaMallocAsync((void **)p, n, s); }
ECHO_TYPED cudaMallocManaged(T **p, size_t n, unsigned flags = cudaMemAttachGlobal) { return cudaMallocManaged((void **)p, n, flags); }
ECHO_TYPED cudaMallocHost(T **p, size_t n, unsigned flags = 0) { return cudaHostAlloc((void **)p, n, flags); }
ECHO_TYPED cudaHostAlloc(T **p, size_t n, unsigned flags) { return cudaHostAlloc((void **)p, n, flags); }
ECHO_TYPED cudaHostGetDevicePointer(T **p, void *h, unsigned flags) { return cudaHostGetDevicePointer((void **)p, h, flags); }
ECHO_TYPED cudaMallocPitch(T **p, size_t *pitch, size_t w, size_t h) { return cudaMallocPitch((void **)p, pitch, w, h); }
ECHO_TYPED cudaStreamAttachMemAsync(cudaStream_t s, T *p, size_t n = 0, unsigned flags = cudaMemAttachSingle) { return cudaStreamAttachMemAsync(s, (void *)p, n, flags); }
ECHO_TYPED cudaMemcpyToSymbol(const T &symbol, const void *from, size_t n, size_t offset = 0, cudaMemcpyKind k = cudaMemcpyHostToDevice) { return cudaMemcpyToSymbol((const void *)&symbol, from, n, offset, k); }
ECHO_TYPED cudaMemcpyToSymbolAsync(const T &symbol, const void *from, size_t n, size_t offset = 0, cudaMemcpyKind k = cudaMemcpyHostToDevice, cudaStream_t s = 0) { return cudaMemcpyToSymbolAsync((const void *)&symbol, from, n, offset, k, s); }
ECHO_TYPED cudaMemcpyFromSymbol(void *to, const T &symbol, size_t n, size_t offset = 0, cudaMemcpyKind k = cudaMemcpyDeviceToHost) { return cudaMemcpyFromSymbol(to, (const void *)&symbol, n, offset, k); }
ECHO_TYPED cudaMemcpyFromSymbolAsync(void *to, const T &symbol, size_t n, size_t offset = 0, cudaMemcpyKind k = cudaMemcpyDeviceToHost, cudaStream_t s = 0) { return cudaMemcpyFromSymbolAsync(to, (const void *)&symbol, n, offset, k, s); }
ECHO_TYPED cudaGetSymbolAddress(void **p, const T &symbol) { return cudaGetSymbolAddress(p, (const void *)&symbol); }
ECHO_TYPED cudaGetSymbolSize(size_t *n, const T &symbol) { return cudaGetSymbolSize(n, (const void *)&symbol); }
ECHO_TYPED cudaLaunchKernel(T *f, dim3 g, dim3 b, void **a, size_t shared = 0, cudaStream_t s = 0) { return cudaLaunchKernel((const void *)f, g, b, a, shared, s); }
ECHO_TYPED cudaLaunchCooperativeKernel(T *f, dim3 g, dim3 b, void **a, size_t shared = 0, cudaStream_t s = 0) { return cudaLaunchCooperativeKernel((const void *)f, g, b, a, shared, s); }
ECHO_TYPED cudaFuncGetAttributes(cudaFuncAttributes *a, T *f) { return cudaFuncGetAttributes(a, (const void *)f); }
ECHO_TYPED cudaFuncSetAttribute(T *f, cudaFuncAttribute a, int v) { return cudaFuncSetAttribute((const void *)f, a, v); }
ECHO_TYPED cudaFuncSetCacheConfig(T *f, cudaFuncCache c) { return cudaFuncSetCacheConfig((const void *)f, c); }
ECHO_TYPED cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *n, T f, int threads, size_t shared) { return cudaOccupancyMaxActiveBlocksPerMultiprocessor(n, (const void *)f, threads, shared); }
ECHO_TYPED cudaOccupancyMaxPotentialBlockSize(int *grid, int *block, T, size_t = 0, int limit = 0) { *grid = 16; *block = limit > 0 && limit < 256 ? limit : 256; return cudaSuccess; }
template <class T, class F> static inline cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int *grid, int *block, T f, F, int limit = 0) { return cudaOccupancyMaxPotentialBlockSize(grid, block, f, 0, limit); }
static inline cudaError_t cudaGraphInstantiate(cudaGraphExec_t *e, cudaGraph_t g, cudaGraphNode_t *, char *, size_t) { return cudaGraphInstantiate(e, g, 0ull); }
// The forms of CUDA 13, which name the host as a place of its own.
static inline int echo_device_of(cudaMemLocation l) { return l.type == cudaMemLocationTypeDevice ? l.id : cudaCpuDeviceId; }
static inline cudaError_t cudaMemPrefetchAsync(const void *p, size_t n, cudaMemLocation to, unsigned, cudaStream_t s = 0) { return cudaMemPrefetchAsync(p, n, echo_device_of(to), s); }
static inline cudaError_t cudaMemAdvise(const void *p, size_t n, cudaMemoryAdvise advice, cudaMemLocation l) { return cudaMemAdvise(p, n, advice, echo_device_of(l)); }
#undef ECHO_TYPED
static inline cudaError_t cudaEventCreate(cudaEvent_t *e, unsigned flags) { return cudaEventCreateWithFlags(e, flags); }
static inline cudaExtent make_cudaExtent(size_t w, size_t h, size_t d) { return cudaExtent{w, h, d}; }
static inline cudaPos make_cudaPos(size_t x, size_t y, size_t z) { return cudaPos{x, y, z}; }
static inline cudaPitchedPtr make_cudaPitchedPtr(void *p, size_t pitch, size_t x, size_t y) { return cudaPitchedPtr{p, pitch, x, y}; }
static inline cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind f) { return cudaChannelFormatDesc{x, y, z, w, f}; }
template <class T> struct echo_channel { typedef T component; enum { count = 1 }; };
#define ECHO_CHANNEL(NAME, T)                                                                                       \
    template <> struct echo_channel<NAME##1> { typedef T component; enum { count = 1 }; };                          \
    template <> struct echo_channel<NAME##2> { typedef T component; enum { count = 2 }; };                          \
    template <> struct echo_channel<NAME##4> { typedef T component; enum { count = 4 }; };
ECHO_CHANNEL(char, signed char) ECHO_CHANNEL(uchar, unsigned char) ECHO_CHANNEL(short, short) ECHO_CHANNEL(ushort, unsigned short)
ECHO_CHANNEL(int, int) ECHO_CHANNEL(uint, unsigned) ECHO_CHANNEL(float, float)
#undef ECHO_CHANNEL
template <class T> static inline cudaChannelFormatDesc cudaCreateChannelDesc() {
    typedef typename echo_channel<T>::component C;
    const int bits = 8 * sizeof(C), n = echo_channel<T>::count;
    return cudaChannelFormatDesc{bits, n > 1 ? bits : 0, n > 2 ? bits : 0, n > 2 ? bits : 0,
        std::is_floating_point<C>::value ? cudaChannelFormatKindFloat : std::is_signed<C>::value ? cudaChannelFormatKindSigned : cudaChannelFormatKindUnsigned};
}
