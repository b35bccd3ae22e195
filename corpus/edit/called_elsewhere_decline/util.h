// What the two files share.
#include <cstddef>

void upload(float* device, const float* host, size_t bytes);
double other(int n);
