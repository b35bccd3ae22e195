// Textures on linear memory, pitched memory and an array; a surface.
//= 3 4 0 15 2.5 0.5 42
#include <cstdio>
#include <cstring>
__global__ void sample(cudaTextureObject_t line, cudaTextureObject_t plane, cudaTextureObject_t smooth, cudaTextureObject_t bytes, cudaSurfaceObject_t surface, float *o) {
    o[0] = tex1Dfetch<float>(line, 3);
    o[1] = tex2D<float>(plane, 0.5f, 1.5f);
    o[2] = tex2D<float>(plane, -3.0f, 0.5f);
    o[3] = tex2D<float>(plane, 9.0f, 9.0f);
    o[4] = tex2D<float>(smooth, 1.0f, 1.0f);
    o[5] = tex1Dfetch<float>(bytes, 1) * 255 / 256;
    surf2Dwrite(42.0f, surface, 2 * (int)sizeof(float), 1);
}
int main() {
    float h[16], *linear, *out, r[6], back[16];
    unsigned char raw[2] = {0, 128}, *d_raw;
    for (int i = 0; i < 16; i++) h[i] = i;
    cudaMalloc(&linear, sizeof h);
    cudaMalloc(&d_raw, sizeof raw);
    cudaMalloc(&out, sizeof r);
    cudaMemcpy(linear, h, sizeof h, cudaMemcpyHostToDevice);
    cudaMemcpy(d_raw, raw, sizeof raw, cudaMemcpyHostToDevice);
    cudaArray_t array;
    cudaChannelFormatDesc f = cudaCreateChannelDesc<float>();
    cudaMallocArray(&array, &f, 4, 4, cudaArraySurfaceLoadStore);
    cudaMemcpy2DToArray(array, 0, 0, h, 4 * sizeof(float), 4 * sizeof(float), 4, cudaMemcpyHostToDevice);
    cudaResourceDesc r1, r2, r3, r4;
    memset(&r1, 0, sizeof r1), memset(&r2, 0, sizeof r2), memset(&r3, 0, sizeof r3), memset(&r4, 0, sizeof r4);
    r1.resType = cudaResourceTypeLinear;
    r1.res.linear.devPtr = linear, r1.res.linear.desc = f, r1.res.linear.sizeInBytes = sizeof h;
    r2.resType = cudaResourceTypePitch2D;
    r2.res.pitch2D.devPtr = linear, r2.res.pitch2D.desc = f;
    r2.res.pitch2D.width = r2.res.pitch2D.height = 4, r2.res.pitch2D.pitchInBytes = 4 * sizeof(float);
    r3.resType = cudaResourceTypeArray;
    r3.res.array.array = array;
    r4.resType = cudaResourceTypeLinear;
    r4.res.linear.devPtr = d_raw, r4.res.linear.desc = cudaCreateChannelDesc<unsigned char>(), r4.res.linear.sizeInBytes = 2;
    cudaTextureDesc point, linear_filter, normalized;
    memset(&point, 0, sizeof point);
    point.addressMode[0] = point.addressMode[1] = cudaAddressModeClamp;
    linear_filter = normalized = point;
    linear_filter.filterMode = cudaFilterModeLinear;
    normalized.readMode = cudaReadModeNormalizedFloat;
    cudaTextureObject_t t1, t2, t3, t4;
    cudaSurfaceObject_t s;
    cudaCreateTextureObject(&t1, &r1, &point, nullptr);
    cudaCreateTextureObject(&t2, &r2, &point, nullptr);
    cudaCreateTextureObject(&t3, &r3, &linear_filter, nullptr);
    cudaCreateTextureObject(&t4, &r4, &normalized, nullptr);
    cudaCreateSurfaceObject(&s, &r3);
    sample<<<1, 1>>>(t1, t2, t3, t4, s, out);
    cudaMemcpy(r, out, sizeof r, cudaMemcpyDeviceToHost);
    cudaMemcpy2DFromArray(back, 4 * sizeof(float), array, 0, 0, 4 * sizeof(float), 4, cudaMemcpyDeviceToHost);
    printf("%g %g %g %g %g %g %g\n", r[0], r[1], r[2], r[3], r[4], r[5], back[6]);
}
