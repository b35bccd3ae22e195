// The other file's function is judged for every caller: what it allocates is its own.
#include <cstdio>

#include "work.h"

int main() {
  for (int n = 64; n <= 4096; n *= 4) printf("%.1f\n", work(n));
  return 0;
}
