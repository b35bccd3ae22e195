// Multi-GPU and mixed-precision cuFFT.
#ifndef ECHO_CUFFTXT_H
#define ECHO_CUFFTXT_H
#include "cufft.h"
typedef enum { LIB_FORMAT_CUFFT = 0 } libFormat;
typedef struct cudaXtDesc_t { int version, nGPUs, GPUs[64]; void *data[64]; size_t size[64]; void *cudaXtState; } cudaXtDesc;
typedef struct cudaLibXtDesc_t { int version; cudaXtDesc *descriptor; libFormat library; int subFormat; void *libDescriptor; } cudaLibXtDesc;
typedef enum { CUFFT_COPY_HOST_TO_DEVICE, CUFFT_COPY_DEVICE_TO_HOST, CUFFT_COPY_DEVICE_TO_DEVICE, CUFFT_COPY_UNDEFINED } cufftXtCopyType;
typedef enum { CUFFT_XT_FORMAT_INPUT, CUFFT_XT_FORMAT_OUTPUT, CUFFT_XT_FORMAT_INPLACE, CUFFT_XT_FORMAT_INPLACE_SHUFFLED, CUFFT_XT_FORMAT_1D_INPUT_SHUFFLED } cufftXtSubFormat;
typedef enum { CUFFT_CB_LD_COMPLEX, CUFFT_CB_LD_COMPLEX_DOUBLE, CUFFT_CB_LD_REAL, CUFFT_CB_LD_REAL_DOUBLE, CUFFT_CB_ST_COMPLEX, CUFFT_CB_ST_COMPLEX_DOUBLE, CUFFT_CB_ST_REAL, CUFFT_CB_ST_REAL_DOUBLE } cufftXtCallbackType;
typedef cufftComplex (*cufftCallbackLoadC)(void *in, size_t offset, void *caller, void *shared);
typedef void (*cufftCallbackStoreC)(void *out, size_t offset, cufftComplex element, void *caller, void *shared);
typedef cufftReal (*cufftCallbackLoadR)(void *in, size_t offset, void *caller, void *shared);
typedef void (*cufftCallbackStoreR)(void *out, size_t offset, cufftReal element, void *caller, void *shared);
ECHO_C cufftResult cufftXtSetGPUs(cufftHandle plan, int count, int *gpus);
ECHO_C cufftResult cufftXtMalloc(cufftHandle plan, cudaLibXtDesc **descriptor, cufftXtSubFormat format);
ECHO_C cufftResult cufftXtFree(cudaLibXtDesc *descriptor);
ECHO_C cufftResult cufftXtMemcpy(cufftHandle plan, void *to, void *from, cufftXtCopyType type);
ECHO_C cufftResult cufftXtExecDescriptorC2C(cufftHandle plan, cudaLibXtDesc *in, cudaLibXtDesc *out, int direction);
ECHO_C cufftResult cufftXtExecDescriptor(cufftHandle plan, cudaLibXtDesc *in, cudaLibXtDesc *out, int direction);
ECHO_C cufftResult cufftXtMakePlanMany(cufftHandle plan, int rank, long long *n, long long *inembed, long long istride, long long idist, cudaDataType in_type, long long *onembed, long long ostride, long long odist, cudaDataType out_type, long long batch, size_t *work_size, cudaDataType exec_type);
ECHO_C cufftResult cufftXtExec(cufftHandle plan, void *in, void *out, int direction);
ECHO_C cufftResult cufftXtSetCallback(cufftHandle plan, void **callback, cufftXtCallbackType type, void **caller);
#endif
