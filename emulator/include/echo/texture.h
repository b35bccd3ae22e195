// Texture and surface objects: the object is the address of a description (libcudart/src/array.rs has the same layout).
#pragma once
struct echo_texture {
    const char *data;
    size_t width, height, depth, pitch, slice;
    cudaChannelFormatDesc format;
    cudaTextureAddressMode address[3];
    cudaTextureFilterMode filter;
    cudaTextureReadMode read;
    int srgb;
    float border[4];
    int normalized;
};
ECHO_BOTH int echo_texel_bytes(const echo_texture *t) { return (t->format.x + t->format.y + t->format.z + t->format.w) / 8; }
// Where coordinate `i` falls on `n` texels; -1 outside a border.
ECHO_BOTH long echo_wrap(long i, size_t size, cudaTextureAddressMode mode, int normalized) {
    long n = size ? (long)size : 1;
    if (i >= 0 && i < n) return i;
    if (mode == cudaAddressModeWrap && normalized) return (i % n + n) % n;
    if (mode == cudaAddressModeMirror && normalized) {
        long k = (i % (2 * n) + 2 * n) % (2 * n);
        return k < n ? k : 2 * n - 1 - k;
    }
    if (mode == cudaAddressModeBorder) return -1;
    return i < 0 ? 0 : n - 1;
}
// Component `c` of a texel as a float; integers are scaled to [0, 1] or [-1, 1] if the object says so.
ECHO_BOTH float echo_component(const echo_texture *t, const char *texel, int c) {
    int bits = t->format.x;
    const char *p = texel + c * bits / 8;
    bool scale = t->read == cudaReadModeNormalizedFloat;
    if (t->format.f == cudaChannelFormatKindFloat) {
        if (bits == 16) { _Float16 h; __builtin_memcpy(&h, p, 2); return (float)h; }
        float f; __builtin_memcpy(&f, p, 4); return f;
    }
    long v = 0;
    if (t->format.f == cudaChannelFormatKindSigned) {
        if (bits == 8) v = *(const signed char *)p; else if (bits == 16) v = *(const short *)p; else v = *(const int *)p;
        return scale ? fmaxf((float)v / (bits == 8 ? 127.f : 32767.f), -1.f) : (float)v;
    }
    if (bits == 8) v = *(const unsigned char *)p; else if (bits == 16) v = *(const unsigned short *)p; else v = *(const unsigned *)p;
    return scale ? (float)v / (bits == 8 ? 255.f : 65535.f) : (float)v;
}
ECHO_BOTH const char *echo_texel(const echo_texture *t, long x, long y, long z) {
    x = echo_wrap(x, t->width, t->address[0], t->normalized);
    y = echo_wrap(y, t->height, t->address[1], t->normalized);
    z = echo_wrap(z, t->depth, t->address[2], t->normalized);
    if (x < 0 || y < 0 || z < 0) return 0;
    return t->data + z * t->slice + y * t->pitch + x * echo_texel_bytes(t);
}
template <class T> struct echo_texel_type { typedef T scalar; enum { count = 1 }; };
#define ECHO_TEXEL(NAME, T)                                                                                         \
    template <> struct echo_texel_type<NAME##1> { typedef T scalar; enum { count = 1 }; };                          \
    template <> struct echo_texel_type<NAME##2> { typedef T scalar; enum { count = 2 }; };                          \
    template <> struct echo_texel_type<NAME##4> { typedef T scalar; enum { count = 4 }; };
ECHO_TEXEL(char, signed char) ECHO_TEXEL(uchar, unsigned char) ECHO_TEXEL(short, short) ECHO_TEXEL(ushort, unsigned short)
ECHO_TEXEL(int, int) ECHO_TEXEL(uint, unsigned) ECHO_TEXEL(float, float)
#undef ECHO_TEXEL
template <class T> ECHO_BOTH T echo_fetch(const echo_texture *t, long x, long y, long z) {
    typedef typename echo_texel_type<T>::scalar S;
    const char *texel = echo_texel(t, x, y, z);
    T r{};
    S *out = (S *)&r;
    if (std::is_floating_point<S>::value) {
        int have = (t->format.x > 0) + (t->format.y > 0) + (t->format.z > 0) + (t->format.w > 0);
        for (int c = 0; c < echo_texel_type<T>::count; c++) out[c] = (S)(texel ? c < have ? echo_component(t, texel, c) : 0.f : t->border[c]);
    } else if (texel) __builtin_memcpy(&r, texel, sizeof(T));
    return r;
}
// A sample at texel coordinates; linear filtering takes the 2, 4 or 8 neighbours.
template <class T> ECHO_BOTH T echo_sample(const echo_texture *t, float x, float y, float z, int dimensions) {
    if (t->normalized) { x *= t->width; y *= t->height; z *= t->depth; }
    if (t->filter == cudaFilterModePoint) return echo_fetch<T>(t, (long)floorf(x), dimensions > 1 ? (long)floorf(y) : 0, dimensions > 2 ? (long)floorf(z) : 0);
    typedef typename echo_texel_type<T>::scalar S;
    T r{};
    S *out = (S *)&r;
    float p[3] = {x - .5f, dimensions > 1 ? y - .5f : 0, dimensions > 2 ? z - .5f : 0}, sum[4] = {};
    long i[3];
    float a[3];
    for (int d = 0; d < 3; d++) {
        i[d] = (long)floorf(p[d]);
        // Hardware keeps eight bits of the fraction.
        a[d] = floorf((p[d] - i[d]) * 256.f) / 256.f;
    }
    for (int k = 0; k < 1 << dimensions; k++) {
        T v = echo_fetch<T>(t, i[0] + (k & 1), i[1] + (k >> 1 & 1), i[2] + (k >> 2 & 1));
        float w = 1;
        for (int d = 0; d < dimensions; d++) w *= k >> d & 1 ? a[d] : 1 - a[d];
        for (int c = 0; c < echo_texel_type<T>::count; c++) sum[c] += w * (float)((S *)&v)[c];
    }
    for (int c = 0; c < echo_texel_type<T>::count; c++) out[c] = (S)sum[c];
    return r;
}
#define ECHO_TEX template <class T> __device__ inline T
ECHO_TEX tex1Dfetch(cudaTextureObject_t t, int i) { return echo_fetch<T>((const echo_texture *)t, i, 0, 0); }
ECHO_TEX tex1D(cudaTextureObject_t t, float x) { return echo_sample<T>((const echo_texture *)t, x, 0, 0, 1); }
ECHO_TEX tex2D(cudaTextureObject_t t, float x, float y) { return echo_sample<T>((const echo_texture *)t, x, y, 0, 2); }
ECHO_TEX tex3D(cudaTextureObject_t t, float x, float y, float z) { return echo_sample<T>((const echo_texture *)t, x, y, z, 3); }
ECHO_TEX tex1DLod(cudaTextureObject_t t, float x, float) { return tex1D<T>(t, x); }
ECHO_TEX tex2DLod(cudaTextureObject_t t, float x, float y, float) { return tex2D<T>(t, x, y); }
ECHO_TEX tex2DLayered(cudaTextureObject_t t, float x, float y, int layer) {
    echo_texture one = *(const echo_texture *)t;
    one.data += layer * one.slice;
    return echo_sample<T>(&one, x, y, 0, 2);
}
template <class T> __device__ inline void tex1Dfetch(T *r, cudaTextureObject_t t, int i) { *r = tex1Dfetch<T>(t, i); }
template <class T> __device__ inline void tex2D(T *r, cudaTextureObject_t t, float x, float y) { *r = tex2D<T>(t, x, y); }
#undef ECHO_TEX
ECHO_BOTH char *echo_surface(cudaSurfaceObject_t s, int bytes, int y, int z) {
    const echo_texture *t = (const echo_texture *)s;
    return (char *)t->data + z * t->slice + y * t->pitch + bytes;
}
template <class T> __device__ inline T surf1Dread(cudaSurfaceObject_t s, int x, int = 0) { return *(T *)echo_surface(s, x, 0, 0); }
template <class T> __device__ inline T surf2Dread(cudaSurfaceObject_t s, int x, int y, int = 0) { return *(T *)echo_surface(s, x, y, 0); }
template <class T> __device__ inline T surf3Dread(cudaSurfaceObject_t s, int x, int y, int z, int = 0) { return *(T *)echo_surface(s, x, y, z); }
template <class T> __device__ inline void surf2Dread(T *r, cudaSurfaceObject_t s, int x, int y, int = 0) { *r = surf2Dread<T>(s, x, y); }
template <class T> __device__ inline void surf1Dwrite(T v, cudaSurfaceObject_t s, int x, int = 0) { *(T *)echo_surface(s, x, 0, 0) = v; }
template <class T> __device__ inline void surf2Dwrite(T v, cudaSurfaceObject_t s, int x, int y, int = 0) { *(T *)echo_surface(s, x, y, 0) = v; }
template <class T> __device__ inline void surf3Dwrite(T v, cudaSurfaceObject_t s, int x, int y, int z, int = 0) { *(T *)echo_surface(s, x, y, z) = v; }
