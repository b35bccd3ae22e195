// Does not use the GPU.
#include <cstdlib>

size_t allocated = 0;

void* count(size_t bytes) {
  allocated += bytes;
  return malloc(bytes);
}
