// CUB: device-wide functions called from the host, block and warp collectives called in kernels.
#ifndef ECHO_CUB_H
#define ECHO_CUB_H
#include <cuda_runtime.h>
#ifdef __CUDA__
#include <cstddef>
#include <iterator>
#include <utility>
#define CUB_VERSION 200400
#define CUB_NS_QUALIFIER cub
namespace cub {

// Every device-wide function: storage, its size, then its own operands, the stream last.
#define ECHO_DEVICE_WIDE(name)                                                                                        \
    template <class... Operands>                                                                                      \
    ECHO_HD static cudaError_t name(void *storage, size_t &bytes, Operands &&...operands);
struct DeviceReduce {
    ECHO_DEVICE_WIDE(Reduce)
    ECHO_DEVICE_WIDE(Sum)
    ECHO_DEVICE_WIDE(Min)
    ECHO_DEVICE_WIDE(Max)
    ECHO_DEVICE_WIDE(ArgMin)
    ECHO_DEVICE_WIDE(ArgMax)
    ECHO_DEVICE_WIDE(ReduceByKey)
    ECHO_DEVICE_WIDE(TransformReduce)
};
struct DeviceSegmentedReduce {
    ECHO_DEVICE_WIDE(Reduce)
    ECHO_DEVICE_WIDE(Sum)
    ECHO_DEVICE_WIDE(Min)
    ECHO_DEVICE_WIDE(Max)
    ECHO_DEVICE_WIDE(ArgMin)
    ECHO_DEVICE_WIDE(ArgMax)
};
struct DeviceScan {
    ECHO_DEVICE_WIDE(ExclusiveSum)
    ECHO_DEVICE_WIDE(InclusiveSum)
    ECHO_DEVICE_WIDE(ExclusiveScan)
    ECHO_DEVICE_WIDE(InclusiveScan)
    ECHO_DEVICE_WIDE(ExclusiveSumByKey)
    ECHO_DEVICE_WIDE(InclusiveSumByKey)
};
struct DeviceRadixSort {
    ECHO_DEVICE_WIDE(SortPairs)
    ECHO_DEVICE_WIDE(SortPairsDescending)
    ECHO_DEVICE_WIDE(SortKeys)
    ECHO_DEVICE_WIDE(SortKeysDescending)
};
struct DeviceSegmentedRadixSort {
    ECHO_DEVICE_WIDE(SortPairs)
    ECHO_DEVICE_WIDE(SortPairsDescending)
    ECHO_DEVICE_WIDE(SortKeys)
    ECHO_DEVICE_WIDE(SortKeysDescending)
};
struct DeviceSegmentedSort {
    ECHO_DEVICE_WIDE(SortPairs)
    ECHO_DEVICE_WIDE(SortPairsDescending)
    ECHO_DEVICE_WIDE(SortKeys)
    ECHO_DEVICE_WIDE(SortKeysDescending)
    ECHO_DEVICE_WIDE(StableSortPairs)
    ECHO_DEVICE_WIDE(StableSortKeys)
};
struct DeviceMergeSort {
    ECHO_DEVICE_WIDE(SortPairs)
    ECHO_DEVICE_WIDE(SortKeys)
    ECHO_DEVICE_WIDE(StableSortKeys)
    ECHO_DEVICE_WIDE(StableSortPairs)
};
struct DeviceSelect {
    ECHO_DEVICE_WIDE(Flagged)
    ECHO_DEVICE_WIDE(If)
    ECHO_DEVICE_WIDE(Unique)
    ECHO_DEVICE_WIDE(UniqueByKey)
};
struct DevicePartition {
    ECHO_DEVICE_WIDE(Flagged)
    ECHO_DEVICE_WIDE(If)
};
struct DeviceRunLengthEncode {
    ECHO_DEVICE_WIDE(Encode)
    ECHO_DEVICE_WIDE(NonTrivialRuns)
};
struct DeviceHistogram {
    ECHO_DEVICE_WIDE(HistogramEven)
    ECHO_DEVICE_WIDE(HistogramRange)
    template <int channels, int active, class... Operands>
    ECHO_HD static cudaError_t MultiHistogramEven(void *storage, size_t &bytes, Operands &&...operands);
};
struct DeviceSpmv {
    ECHO_DEVICE_WIDE(CsrMV)
};

template <class T> struct DoubleBuffer {
    T *d_buffers[2];
    int selector;
    ECHO_HD DoubleBuffer();
    ECHO_HD DoubleBuffer(T *current, T *alternate);
    ECHO_HD T *Current();
    ECHO_HD T *Alternate();
};
template <class K, class V> struct KeyValuePair {
    typedef K Key;
    typedef V Value;
    K key;
    V value;
    ECHO_HD KeyValuePair();
    ECHO_HD KeyValuePair(const K &key, const V &value);
};
struct NullType {};
#define ECHO_CUB_OPERATOR(name)                                                                                       \
    struct name {                                                                                                     \
        template <class T, class U> ECHO_HD T operator()(const T &x, const U &y) const;                               \
    };
ECHO_CUB_OPERATOR(Sum)
ECHO_CUB_OPERATOR(Min)
ECHO_CUB_OPERATOR(Max)
ECHO_CUB_OPERATOR(Equality)
ECHO_CUB_OPERATOR(ArgMax)
ECHO_CUB_OPERATOR(ArgMin)
struct CachingDeviceAllocator {
    CachingDeviceAllocator(bool skip_cleanup = false, bool debug = false);
    cudaError_t DeviceAllocate(void **pointer, size_t bytes, cudaStream_t stream = 0);
    cudaError_t DeviceFree(void *pointer);
};
template <class T, class D = std::ptrdiff_t> struct CountingInputIterator {
    typedef T value_type;
    ECHO_HD CountingInputIterator(T first);
    ECHO_HD T operator[](D index) const;
    ECHO_HD T operator*() const;
};
template <class V, class F, class I, class D = std::ptrdiff_t> struct TransformInputIterator {
    typedef V value_type;
    ECHO_HD TransformInputIterator(I iterator, F function);
    ECHO_HD V operator[](D index) const;
    ECHO_HD V operator*() const;
};

#define ECHO_COLLECTIVE(name)                                                                                         \
    template <class... Operands> ECHO_D void name(Operands &&...operands);
#define ECHO_STORAGE(name)                                                                                            \
    struct TempStorage { char bytes[1024]; };                                                                         \
    ECHO_D name();                                                                                                    \
    ECHO_D name(TempStorage &storage);                                                                                \
    ECHO_D name(TempStorage &storage, int thread);
enum BlockReduceAlgorithm { BLOCK_REDUCE_RAKING, BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY, BLOCK_REDUCE_WARP_REDUCTIONS };
enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };
enum BlockLoadAlgorithm { BLOCK_LOAD_DIRECT, BLOCK_LOAD_STRIPED, BLOCK_LOAD_VECTORIZE, BLOCK_LOAD_TRANSPOSE, BLOCK_LOAD_WARP_TRANSPOSE };
enum BlockStoreAlgorithm { BLOCK_STORE_DIRECT, BLOCK_STORE_STRIPED, BLOCK_STORE_VECTORIZE, BLOCK_STORE_TRANSPOSE, BLOCK_STORE_WARP_TRANSPOSE };
enum CacheLoadModifier { LOAD_DEFAULT, LOAD_CA, LOAD_CG, LOAD_CS, LOAD_CV, LOAD_LDG, LOAD_VOLATILE };
template <class T, int x, BlockReduceAlgorithm algorithm = BLOCK_REDUCE_WARP_REDUCTIONS, int y = 1, int z = 1, int arch = 0>
struct BlockReduce {
    ECHO_STORAGE(BlockReduce)
    template <class V> ECHO_D T Sum(V &&input);
    template <class V> ECHO_D T Sum(V &&input, int valid);
    template <class V, class F> ECHO_D T Reduce(V &&input, F function);
    template <class V, class F> ECHO_D T Reduce(V &&input, F function, int valid);
};
template <class T, int x, BlockScanAlgorithm algorithm = BLOCK_SCAN_RAKING, int y = 1, int z = 1, int arch = 0>
struct BlockScan {
    ECHO_STORAGE(BlockScan)
    ECHO_COLLECTIVE(ExclusiveSum)
    ECHO_COLLECTIVE(InclusiveSum)
    ECHO_COLLECTIVE(ExclusiveScan)
    ECHO_COLLECTIVE(InclusiveScan)
};
template <class K, int x, int items, class V = NullType, int bits = 4, bool memoize = true,
          BlockScanAlgorithm scan = BLOCK_SCAN_WARP_SCANS, int config = 0, int y = 1, int z = 1, int arch = 0>
struct BlockRadixSort {
    ECHO_STORAGE(BlockRadixSort)
    ECHO_COLLECTIVE(Sort)
    ECHO_COLLECTIVE(SortDescending)
    ECHO_COLLECTIVE(SortBlockedToStriped)
    ECHO_COLLECTIVE(SortDescendingBlockedToStriped)
};
template <class T, int x, int items, BlockLoadAlgorithm algorithm = BLOCK_LOAD_DIRECT, int y = 1, int z = 1, int arch = 0>
struct BlockLoad {
    ECHO_STORAGE(BlockLoad)
    ECHO_COLLECTIVE(Load)
};
template <class T, int x, int items, BlockStoreAlgorithm algorithm = BLOCK_STORE_DIRECT, int y = 1, int z = 1, int arch = 0>
struct BlockStore {
    ECHO_STORAGE(BlockStore)
    ECHO_COLLECTIVE(Store)
};
template <class T, int x, int items, bool slicing = false, int y = 1, int z = 1, int arch = 0> struct BlockExchange {
    ECHO_STORAGE(BlockExchange)
    ECHO_COLLECTIVE(StripedToBlocked)
    ECHO_COLLECTIVE(BlockedToStriped)
    ECHO_COLLECTIVE(ScatterToBlocked)
    ECHO_COLLECTIVE(ScatterToStriped)
};
template <class T, int x, int y = 1, int z = 1, int arch = 0> struct BlockDiscontinuity {
    ECHO_STORAGE(BlockDiscontinuity)
    ECHO_COLLECTIVE(FlagHeads)
    ECHO_COLLECTIVE(FlagTails)
};
template <class T, int x, int y = 1, int z = 1, int arch = 0> struct BlockShuffle {
    ECHO_STORAGE(BlockShuffle)
    ECHO_COLLECTIVE(Offset)
    ECHO_COLLECTIVE(Up)
    ECHO_COLLECTIVE(Down)
};
template <class T, int lanes = 32, int arch = 0> struct WarpReduce {
    ECHO_STORAGE(WarpReduce)
    ECHO_D T Sum(T input);
    ECHO_D T Sum(T input, int valid);
    template <class F> ECHO_D T Reduce(T input, F function);
    template <class F> ECHO_D T Reduce(T input, F function, int valid);
};
template <class T, int lanes = 32, int arch = 0> struct WarpScan {
    ECHO_STORAGE(WarpScan)
    ECHO_COLLECTIVE(ExclusiveSum)
    ECHO_COLLECTIVE(InclusiveSum)
    ECHO_COLLECTIVE(InclusiveScan)
    ECHO_COLLECTIVE(ExclusiveScan)
};
template <CacheLoadModifier modifier, class I>
ECHO_D typename std::iterator_traits<I>::value_type ThreadLoad(I iterator);
template <int x, class T, class I, int items> ECHO_D void LoadDirectStriped(int thread, I from, T (&to)[items]);
template <int x, class T, class I, int items> ECHO_D void StoreDirectStriped(int thread, I to, T (&from)[items]);
template <class T, class I, int items> ECHO_D void LoadDirectBlocked(int thread, I from, T (&to)[items]);
template <class T, class I, int items> ECHO_D void StoreDirectBlocked(int thread, I to, T (&from)[items]);
ECHO_D unsigned int LaneId();
}
#endif
#endif
