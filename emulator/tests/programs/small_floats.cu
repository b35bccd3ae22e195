// Half and bfloat16: rounding, arithmetic, pairs, bits.
//= 0.333251953 2049 inf 3c00 1.5 7 0.333984375 256 3f80 2.5
#include <cstdio>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
__global__ void half_work(float *o, unsigned short *b) {
    __half third = __float2half(1.0f / 3), one = __float2half(1.0f);
    o[0] = __half2float(third);
    // 2049 has no half: it rounds to 2048; as a float it is exact.
    o[1] = __half2float(__float2half(2048.0f)) + 1;
    o[2] = __half2float(__float2half(60000.0f) * __float2half(2.0f));
    b[0] = __half_as_ushort(one);
    o[3] = __half2float(__hfma(one, __float2half(0.5f), one));
    __half2 p = __hadd2(__floats2half2_rn(1, 2), __float2half2_rn(2));
    o[4] = __low2float(p) + __high2float(p);
}
__global__ void bfloat_work(float *o, unsigned short *b) {
    o[5] = __bfloat162float(__float2bfloat16(1.0f / 3));
    o[6] = __bfloat162float(__float2bfloat16(257.0f));
    b[1] = __bfloat16_as_ushort(__float2bfloat16(1.0f));
    __nv_bfloat16 x = 2.0f, y = 0.5f;
    o[7] = x + y;
}
int main() {
    float *d, h[8];
    unsigned short *b, bits[2];
    cudaMalloc(&d, sizeof h);
    cudaMalloc(&b, sizeof bits);
    half_work<<<1, 1>>>(d, b);
    bfloat_work<<<1, 1>>>(d, b);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    cudaMemcpy(bits, b, sizeof bits, cudaMemcpyDeviceToHost);
    printf("%.9f %g %g %x %g %g %.9f %g %x %g\n", h[0], h[1], h[2], bits[0], h[3], h[4], h[5], h[6], bits[1], h[7]);
}
