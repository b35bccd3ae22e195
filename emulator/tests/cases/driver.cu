// The driver API, through cuGetProcAddress as cudart does it, and by name. Usage: program MODULE.
#include <cuda.h>
#include <cstdio>
#include <cstring>
#define CHECK(CALL) if (CUresult r = (CALL)) { const char *t = "?"; cuGetErrorName(r, &t); printf("%s: %s\n", #CALL, t); return 1; }
int main(int argc, char **argv) {
    if (argc < 2) return 2;
    int count, version, integrated, h[64];
    CHECK(cuDeviceGetCount(&count) == CUDA_ERROR_NOT_INITIALIZED ? CUDA_SUCCESS : CUDA_ERROR_UNKNOWN)
    CHECK(cuInit(0))
    CHECK(cuDeviceGetCount(&count))
    CHECK(cuDriverGetVersion(&version))
    CUdevice device;
    CUcontext context, current;
    CHECK(cuDeviceGet(&device, 0))
    CHECK(cuDeviceGetAttribute(&integrated, CU_DEVICE_ATTRIBUTE_INTEGRATED, device))
    CHECK(cuCtxCreate(&context, 0, device))
    CHECK(cuCtxGetCurrent(&current))
    printf("%d %d %d %d\n", count, version, integrated, current == context);
    CUmodule module;
    CUfunction function;
    CUdeviceptr offset, d;
    size_t size;
    CHECK(cuModuleLoad(&module, argv[1]))
    CHECK(cuModuleGetFunction(&function, module, "add"))
    CHECK(cuModuleGetGlobal(&offset, &size, module, "offset"))
    CHECK(cuModuleGetFunction(&function, module, "absent") == CUDA_ERROR_NOT_FOUND ? CUDA_SUCCESS : CUDA_ERROR_UNKNOWN)
    CHECK(cuModuleGetFunction(&function, module, "add"))
    typedef CUresult (*Allocate)(CUdeviceptr *, size_t);
    Allocate allocate;
    CUdriverProcAddressQueryResult status;
    CHECK(cuGetProcAddress("cuMemAlloc", (void **)&allocate, 12000, 0, &status))
    CHECK(allocate(&d, sizeof h))
    int ten = 10, n = 64;
    short k = 7;
    CHECK(cuMemcpyHtoD(offset, &ten, sizeof ten))
    CHECK(cuMemsetD32(d, 5, 64))
    CUstream stream;
    CHECK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING))
    CHECK(cuCtxSynchronize())
    void *arguments[] = {&d, &n, &k};
    CHECK(cuLaunchKernel(function, 2, 1, 1, 32, 1, 1, 0, stream, arguments, nullptr))
    // The same arguments as one packed buffer.
    struct { CUdeviceptr d; int n; short k; } packed = {d, 32, 1};
    size_t packed_size = sizeof packed;
    void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &packed, CU_LAUNCH_PARAM_BUFFER_SIZE, &packed_size, CU_LAUNCH_PARAM_END};
    CHECK(cuLaunchKernel(function, 2, 1, 1, 32, 1, 1, 0, stream, nullptr, extra))
    CHECK(cuMemcpyDtoHAsync(h, d, sizeof h, stream))
    CHECK(cuStreamSynchronize(stream))
    printf("%d %d %d %zu\n", h[0], h[63], status, size);
    unsigned type = 0, managed = 9;
    CUdeviceptr m, base;
    void *pinned;
    CHECK(cuMemAllocManaged(&m, 100, CU_MEM_ATTACH_GLOBAL))
    CHECK(cuMemHostAlloc(&pinned, 100, CU_MEMHOSTALLOC_DEVICEMAP))
    CUpointer_attribute wanted[] = {CU_POINTER_ATTRIBUTE_MEMORY_TYPE, CU_POINTER_ATTRIBUTE_IS_MANAGED};
    void *outs[] = {&type, &managed};
    for (CUdeviceptr p : {d + 4, m, (CUdeviceptr)pinned, (CUdeviceptr)h}) {
        CHECK(cuPointerGetAttributes(2, wanted, outs, p))
        printf("%u%u ", type, managed);
    }
    CHECK(cuMemGetAddressRange(&base, &size, d + 20))
    printf("%d %zu\n", base == d, size);
    CHECK(cuMemHostRegister((void *)m, 100, 0) == CUDA_ERROR_INVALID_VALUE ? CUDA_SUCCESS : CUDA_ERROR_UNKNOWN)
    CHECK(cuMemFree(d))
    CHECK(cuMemFree(m))
    CHECK(cuMemFreeHost(pinned))
    CHECK(cuStreamDestroy(stream))
    CHECK(cuCtxDestroy(context))
    printf("done\n");
}
