// OpenGL interoperation.
#ifndef ECHO_CUDA_GL_INTEROP_H
#define ECHO_CUDA_GL_INTEROP_H
#include "echo_cuda.h"
enum cudaGLDeviceList { cudaGLDeviceListAll = 1, cudaGLDeviceListCurrentFrame = 2, cudaGLDeviceListNextFrame = 3 };
ECHO_C cudaError_t cudaGLGetDevices(unsigned int *count, int *devices, unsigned int device_count,
                                    enum cudaGLDeviceList list);
ECHO_C cudaError_t cudaGraphicsGLRegisterBuffer(struct cudaGraphicsResource **resource, unsigned int buffer,
                                                unsigned int flags);
ECHO_C cudaError_t cudaGraphicsGLRegisterImage(struct cudaGraphicsResource **resource, unsigned int image,
                                               unsigned int target, unsigned int flags);
ECHO_C cudaError_t cudaGLSetGLDevice(int device);
ECHO_C cudaError_t cudaGLRegisterBufferObject(unsigned int buffer);
ECHO_C cudaError_t cudaGLMapBufferObject(void **pointer, unsigned int buffer);
ECHO_C cudaError_t cudaGLUnmapBufferObject(unsigned int buffer);
ECHO_C cudaError_t cudaGLUnregisterBufferObject(unsigned int buffer);
#endif
