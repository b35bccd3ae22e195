// Threads of the host run one at a time, each as a whole: joined, waited for with a condition, or behind a future.
//= joined 5 68
//= condition 10 73
//= future 83
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <future>
#include <mutex>
#include <thread>
static void bump(int *v, int n) {
    for (int i = 0; i < n; i++) v[i] += 5;
}
int main() {
    const int n = 64;
    int *h = (int *)malloc(n * sizeof(int)), *d;
    cudaMalloc(&d, n * sizeof(int));
    for (int i = 0; i < n; i++) h[i] = i;
    std::thread worker(bump, h, n);
    worker.join();
    printf("joined %d %d\n", h[0], h[63]);
    std::mutex mutex;
    std::condition_variable changed;
    bool done = false;
    std::thread other([&] {
        std::lock_guard<std::mutex> lock(mutex);
        bump(h, n);
        cudaMemcpy(d, h, n * sizeof(int), cudaMemcpyHostToDevice);
        done = true;
        changed.notify_one();
    });
    {
        std::unique_lock<std::mutex> lock(mutex);
        changed.wait(lock, [&] { return done; });
    }
    memset(h, 0, n * sizeof(int));
    cudaMemcpy(h, d, n * sizeof(int), cudaMemcpyDeviceToHost);
    printf("condition %d %d\n", h[0], h[63]);
    other.join();
    std::future<int> sum = std::async(std::launch::async, [&] { return h[0] + h[63]; });
    printf("future %d\n", sum.get());
    return 0;
}
