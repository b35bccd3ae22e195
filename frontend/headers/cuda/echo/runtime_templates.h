// The C++ overloads that nvcc adds to the C functions.
#ifndef ECHO_RUNTIME_TEMPLATES_H
#define ECHO_RUNTIME_TEMPLATES_H
#ifdef __cplusplus

template <class T> ECHO_HD cudaError_t cudaMalloc(T **pointer, size_t size);
template <class T> cudaError_t cudaMallocHost(T **pointer, size_t size, unsigned int flags = 0);
template <class T> cudaError_t cudaHostAlloc(T **pointer, size_t size, unsigned int flags);
template <class T> cudaError_t cudaHostGetDevicePointer(T **device, void *host, unsigned int flags);
template <class T> cudaError_t cudaMallocManaged(T **pointer, size_t size, unsigned int flags = cudaMemAttachGlobal);
template <class T> cudaError_t cudaMallocPitch(T **pointer, size_t *pitch, size_t width, size_t height);
template <class T> cudaError_t cudaMallocAsync(T **pointer, size_t size, cudaStream_t stream);
template <class T> cudaError_t cudaMallocAsync(T **pointer, size_t size, cudaMemPool_t pool, cudaStream_t stream);
template <class T>
cudaError_t cudaMallocFromPoolAsync(T **pointer, size_t size, cudaMemPool_t pool, cudaStream_t stream);
template <class T>
cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, T *pointer, size_t length = 0,
                                     unsigned int flags = cudaMemAttachSingle);

template <class T>
cudaError_t cudaMemcpyToSymbol(const T &symbol, const void *from, size_t count, size_t offset = 0,
                               cudaMemcpyKind kind = cudaMemcpyHostToDevice);
template <class T>
cudaError_t cudaMemcpyFromSymbol(void *to, const T &symbol, size_t count, size_t offset = 0,
                                 cudaMemcpyKind kind = cudaMemcpyDeviceToHost);
template <class T>
cudaError_t cudaMemcpyToSymbolAsync(const T &symbol, const void *from, size_t count, size_t offset = 0,
                                    cudaMemcpyKind kind = cudaMemcpyHostToDevice, cudaStream_t stream = 0);
template <class T>
cudaError_t cudaMemcpyFromSymbolAsync(void *to, const T &symbol, size_t count, size_t offset = 0,
                                      cudaMemcpyKind kind = cudaMemcpyDeviceToHost, cudaStream_t stream = 0);
template <class T> cudaError_t cudaGetSymbolAddress(void **pointer, const T &symbol);
template <class T> cudaError_t cudaGetSymbolSize(size_t *size, const T &symbol);

template <class T>
cudaError_t cudaLaunchKernel(T *function, dim3 grid, dim3 block, void **arguments, size_t shared_bytes = 0,
                             cudaStream_t stream = 0);
template <class T>
cudaError_t cudaLaunchCooperativeKernel(T *function, dim3 grid, dim3 block, void **arguments, size_t shared_bytes = 0,
                                        cudaStream_t stream = 0);
template <class... Expected, class... Actual>
cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *config, void (*kernel)(Expected...), Actual &&...arguments);
template <class T> cudaError_t cudaFuncSetAttribute(T *function, cudaFuncAttribute attribute, int value);
template <class T> cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attributes, T *function);
template <class T> cudaError_t cudaFuncSetCacheConfig(T *function, cudaFuncCache config);
template <class T> cudaError_t cudaFuncSetSharedMemConfig(T *function, cudaSharedMemConfig config);
template <class T>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, T function, int block_size,
                                                          size_t shared_bytes);
template <class T>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, T function, int block_size,
                                                                   size_t shared_bytes, unsigned int flags);
template <class T>
cudaError_t cudaOccupancyMaxPotentialBlockSize(int *min_grid, int *block_size, T function, size_t shared_bytes = 0,
                                               int limit = 0);
template <class T>
cudaError_t cudaOccupancyMaxPotentialBlockSizeWithFlags(int *min_grid, int *block_size, T function,
                                                        size_t shared_bytes = 0, int limit = 0,
                                                        unsigned int flags = 0);
template <class Unary, class T>
cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int *min_grid, int *block_size, T function,
                                                           Unary shared_bytes, int limit = 0);
template <class T>
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, T *function, int blocks, int block_size);
template <class T>
cudaError_t cudaOccupancyMaxActiveClusters(int *clusters, T *function, const cudaLaunchConfig_t *config);
template <class T>
cudaError_t cudaOccupancyMaxPotentialClusterSize(int *size, T *function, const cudaLaunchConfig_t *config);
template <class T> cudaError_t cudaGetFuncBySymbol(cudaFunction_t *function, T *symbol);

cudaError_t cudaEventCreate(cudaEvent_t *event, unsigned int flags);
cudaError_t cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t graph, unsigned long long flags = 0);
cudaError_t cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t graph, cudaGraphNode_t *error_node, char *log,
                                 size_t length);
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph, cudaGraphNode_t *error_node,
                                cudaGraphExecUpdateResult *result);
cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
                                     const void *edges, size_t count);
cudaError_t cudaMemPrefetchAsync(const void *pointer, size_t count, cudaMemLocation location, unsigned int flags,
                                 cudaStream_t stream = 0);
cudaError_t cudaMemAdvise(const void *pointer, size_t count, cudaMemoryAdvise advice, cudaMemLocation location);
template <class T> cudaChannelFormatDesc cudaCreateChannelDesc();

#endif
#endif
