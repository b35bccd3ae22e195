// Texture references (removed in CUDA 12, still common), texture and surface functions.
#ifndef ECHO_TEXTURES_H
#define ECHO_TEXTURES_H

#define cudaTextureType1D 0x01
#define cudaTextureType2D 0x02
#define cudaTextureType3D 0x03
#define cudaTextureTypeCubemap 0x0C
#define cudaTextureType1DLayered 0xF1
#define cudaTextureType2DLayered 0xF2
#define cudaSurfaceType2D 0x02
#define cudaSurfaceType3D 0x03

struct textureReference {
    int normalized;
    cudaTextureFilterMode filterMode;
    cudaTextureAddressMode addressMode[3];
    cudaChannelFormatDesc channelDesc;
    int sRGB;
    unsigned int maxAnisotropy;
    cudaTextureFilterMode mipmapFilterMode;
    float mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp;
};
struct surfaceReference { cudaChannelFormatDesc channelDesc; };
template <class T, int dimension = cudaTextureType1D, cudaTextureReadMode mode = cudaReadModeElementType>
struct texture : textureReference {
    texture(int normalized = 0, cudaTextureFilterMode filter = cudaFilterModePoint,
            cudaTextureAddressMode address = cudaAddressModeClamp);
};
template <class T, int dimension = cudaTextureType1D> struct surface : surfaceReference { surface(); };

#define ECHO_TEXTURE template <class T, int dimension, cudaTextureReadMode mode>
ECHO_TEXTURE cudaError_t cudaBindTexture(size_t *offset, const texture<T, dimension, mode> &t, const void *pointer,
                                         size_t size = 0xffffffffu);
ECHO_TEXTURE cudaError_t cudaBindTexture(size_t *offset, const texture<T, dimension, mode> &t, const void *pointer,
                                         const cudaChannelFormatDesc &format, size_t size = 0xffffffffu);
ECHO_TEXTURE cudaError_t cudaBindTexture2D(size_t *offset, const texture<T, dimension, mode> &t, const void *pointer,
                                           const cudaChannelFormatDesc &format, size_t width, size_t height,
                                           size_t pitch);
ECHO_TEXTURE cudaError_t cudaBindTextureToArray(const texture<T, dimension, mode> &t, cudaArray_const_t array);
ECHO_TEXTURE cudaError_t cudaBindTextureToArray(const texture<T, dimension, mode> &t, cudaArray_const_t array,
                                                const cudaChannelFormatDesc &format);
ECHO_TEXTURE cudaError_t cudaUnbindTexture(const texture<T, dimension, mode> &t);
template <class T, int dimension>
cudaError_t cudaBindSurfaceToArray(const surface<T, dimension> &s, cudaArray_const_t array);

template <class T, int dimension> ECHO_D T tex1Dfetch(texture<T, dimension, cudaReadModeElementType> t, int x);
template <class T, int dimension> ECHO_D float tex1Dfetch(texture<T, dimension, cudaReadModeNormalizedFloat> t, int x);
ECHO_TEXTURE ECHO_D T tex1D(texture<T, dimension, mode> t, float x);
ECHO_TEXTURE ECHO_D T tex2D(texture<T, dimension, mode> t, float x, float y);
ECHO_TEXTURE ECHO_D T tex3D(texture<T, dimension, mode> t, float x, float y, float z);
ECHO_TEXTURE ECHO_D T tex2DLayered(texture<T, dimension, mode> t, float x, float y, int layer);

template <class T> ECHO_D T tex1Dfetch(cudaTextureObject_t t, int x);
template <class T> ECHO_D T tex1D(cudaTextureObject_t t, float x);
template <class T> ECHO_D T tex1DLod(cudaTextureObject_t t, float x, float level);
template <class T> ECHO_D T tex1DLayered(cudaTextureObject_t t, float x, int layer);
template <class T> ECHO_D T tex2D(cudaTextureObject_t t, float x, float y);
template <class T> ECHO_D T tex2DLod(cudaTextureObject_t t, float x, float y, float level);
template <class T> ECHO_D T tex2DGrad(cudaTextureObject_t t, float x, float y, float2 dx, float2 dy);
template <class T> ECHO_D T tex2Dgather(cudaTextureObject_t t, float x, float y, int component = 0);
template <class T> ECHO_D T tex2DLayered(cudaTextureObject_t t, float x, float y, int layer);
template <class T> ECHO_D T tex3D(cudaTextureObject_t t, float x, float y, float z);
template <class T> ECHO_D T tex3DLod(cudaTextureObject_t t, float x, float y, float z, float level);
template <class T> ECHO_D T texCubemap(cudaTextureObject_t t, float x, float y, float z);
template <class T> ECHO_D T texCubemapLod(cudaTextureObject_t t, float x, float y, float z, float level);
template <class T> ECHO_D void tex1Dfetch(T *value, cudaTextureObject_t t, int x);
template <class T> ECHO_D void tex1D(T *value, cudaTextureObject_t t, float x);
template <class T> ECHO_D void tex2D(T *value, cudaTextureObject_t t, float x, float y);
template <class T> ECHO_D void tex3D(T *value, cudaTextureObject_t t, float x, float y, float z);

enum cudaSurfaceBoundaryMode { cudaBoundaryModeZero, cudaBoundaryModeClamp, cudaBoundaryModeTrap };
#define ECHO_BOUNDARY cudaSurfaceBoundaryMode boundary = cudaBoundaryModeTrap
template <class T> ECHO_D T surf1Dread(cudaSurfaceObject_t s, int x, ECHO_BOUNDARY);
template <class T> ECHO_D T surf2Dread(cudaSurfaceObject_t s, int x, int y, ECHO_BOUNDARY);
template <class T> ECHO_D T surf3Dread(cudaSurfaceObject_t s, int x, int y, int z, ECHO_BOUNDARY);
template <class T> ECHO_D T surf2DLayeredread(cudaSurfaceObject_t s, int x, int y, int layer, ECHO_BOUNDARY);
template <class T> ECHO_D void surf1Dread(T *value, cudaSurfaceObject_t s, int x, ECHO_BOUNDARY);
template <class T> ECHO_D void surf2Dread(T *value, cudaSurfaceObject_t s, int x, int y, ECHO_BOUNDARY);
template <class T> ECHO_D void surf3Dread(T *value, cudaSurfaceObject_t s, int x, int y, int z, ECHO_BOUNDARY);
template <class T> ECHO_D void surf1Dwrite(T value, cudaSurfaceObject_t s, int x, ECHO_BOUNDARY);
template <class T> ECHO_D void surf2Dwrite(T value, cudaSurfaceObject_t s, int x, int y, ECHO_BOUNDARY);
template <class T> ECHO_D void surf3Dwrite(T value, cudaSurfaceObject_t s, int x, int y, int z, ECHO_BOUNDARY);
template <class T> ECHO_D void surf2DLayeredwrite(T value, cudaSurfaceObject_t s, int x, int y, int layer, ECHO_BOUNDARY);
template <class T> ECHO_D void surfCubemapwrite(T value, cudaSurfaceObject_t s, int x, int y, int face, ECHO_BOUNDARY);
template <class T, class U, int dimension>
ECHO_D void surf2Dwrite(T value, surface<U, dimension> s, int x, int y, ECHO_BOUNDARY);
template <class T, class U, int dimension>
ECHO_D void surf2Dread(T *value, surface<U, dimension> s, int x, int y, ECHO_BOUNDARY);
#endif
