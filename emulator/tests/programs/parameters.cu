// Every way the ABI passes a kernel's arguments; launches deferred, so the copies of the launch count.
//= 1 2 3.5 4 5 6 7 8 9 10 11 12 13 14 15 16
#include <cstdio>
struct Empty {};
struct Big { double a[5]; };
struct Small { short a; char b; };
struct Mixed { float f; int i; double d; };
struct Counted {
    int v;
    __host__ __device__ Counted(int v) : v(v) {}
    __host__ __device__ Counted(const Counted &o) : v(o.v) {}
};
enum class Colour : unsigned char { red = 11 };
template <class F> __global__ void unnamed_and_empty(int a, Empty, F f, bool b, int, double *out) {
    out[0] = a;
    out[1] = f(b ? 1 : 0);
}
static __global__ void mixed(double *out, Big big, Small small, Mixed m, Counted c, float3 v, Colour k, signed char t, int (*)[2]) {
    out[2] = big.a[1];
    out[3] = small.a, out[4] = small.b;
    out[5] = m.f, out[6] = m.i, out[7] = m.d;
    out[8] = c.v, out[9] = v.z, out[10] = (int)k, out[11] = t;
}
namespace {
__global__ void größe(double *out) { out[12] = 13; }
}
template <class... A> __global__ void pack(double *out, A... args) {
    double values[] = {(double)args...};
    for (double value : values) *out++ = value;
}
int main() {
    double *d, h[16];
    cudaMalloc(&d, sizeof h);
    unnamed_and_empty<<<1, 1>>>(1, Empty(), [] __device__(int x) { return x + 1; }, true, 0, d);
    {
        Big big = {{0, 3.5}};
        Counted c(9);
        mixed<<<1, 1>>>(d, big, Small{4, 5}, Mixed{6, 7, 8}, c, make_float3(0, 0, 10), Colour::red, 12, nullptr);
        big.a[1] = c.v = -1;
    }
    größe<<<1, 1>>>(d);
    pack<<<1, 1>>>(d + 13, 14, 15.0f, (short)16);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 16; i++) printf("%g%c", h[i], i == 15 ? '\n' : ' ');
}
