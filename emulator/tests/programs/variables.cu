// __constant__, __device__ and __managed__ variables, static ones, symbols, pitched rows.
//= 9 7 12 30 60 72
#include <cstdio>
__constant__ int table[4];
__device__ int counter;
static __device__ int scale = 2;
__managed__ int shared_counter = 10;
__global__ void use(int *out, const int *rows, size_t pitch) {
    out[0] = table[1] + table[3];
    out[1] = ((const int *)((const char *)rows + pitch))[1];
    atomicAdd(&counter, scale);
    shared_counter += 10;
}
int main() {
    int t[4] = {1, 3, 5, 6}, r[2], c = 10, w[2][3] = {{1, 2, 3}, {6, 7, 8}}, *out, *rows;
    size_t pitch;
    cudaMalloc(&out, sizeof r);
    cudaMallocPitch(&rows, &pitch, 3 * sizeof(int), 2);
    cudaMemcpy2D(rows, pitch, w, 3 * sizeof(int), 3 * sizeof(int), 2, cudaMemcpyHostToDevice);
    cudaMemcpyToSymbol(table, t, sizeof t);
    cudaMemcpyToSymbol(counter, &c, sizeof c);
    shared_counter += 10;
    use<<<1, 1>>>(out, rows, pitch);
    cudaMemcpy(r, out, sizeof r, cudaMemcpyDeviceToHost);
    cudaMemcpyFromSymbol(&c, counter, sizeof c);
    printf("%d %d %d %d", r[0], r[1], c, shared_counter);
    for (int i = 0; i < 3; i++) use<<<1, 1>>>(out, rows, pitch);
    cudaDeviceSynchronize();
    void *place;
    size_t size;
    cudaGetSymbolAddress(&place, counter);
    cudaGetSymbolSize(&size, table);
    int more[3] = {0};
    cudaMemcpy(more, place, sizeof(int), cudaMemcpyDeviceToHost);
    printf(" %d %d\n", shared_counter, (int)(size + more[0] * 3 + 2));
}
