// Numbers that do not fit become the nearest that do; bfloat16 converts to half.
//= 2147483647 -2147483648 0 4294967295 0 9223372036854775807
//= 2147483647 0 4294967295 1.5
#include <cstdio>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
__global__ void convert(const double *x, long long *out, float *half_out) {
    out[0] = (int)(float)x[0];
    out[1] = (int)-x[0];
    out[2] = (unsigned)-x[0];
    out[3] = (unsigned)x[0];
    out[4] = (int)(float)x[1];
    out[5] = (long long)x[0];
    out[6] = __double2int_rn(x[0]);
    out[7] = __float2uint_rz((float)-x[0]);
    out[8] = __double2uint_ru(x[0]);
    *half_out = (float)static_cast<__half>(__nv_bfloat16(1.5f));
}
int main() {
    double numbers[2] = {1e30, 0.0 / 0.0}, *x;
    long long *out, r[9];
    float *h, half_result;
    cudaMalloc(&x, sizeof numbers);
    cudaMalloc(&out, sizeof r);
    cudaMalloc(&h, sizeof *h);
    cudaMemcpy(x, numbers, sizeof numbers, cudaMemcpyHostToDevice);
    convert<<<1, 1>>>(x, out, h);
    cudaMemcpy(r, out, sizeof r, cudaMemcpyDeviceToHost);
    cudaMemcpy(&half_result, h, sizeof half_result, cudaMemcpyDeviceToHost);
    printf("%lld %lld %lld %lld %lld %lld\n", r[0], r[1], r[2], r[3], r[4], r[5]);
    printf("%lld %lld %lld %g\n", r[6], r[7], r[8], half_result);
    return 0;
}
