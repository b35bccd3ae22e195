// Does not use CUDA.
#include "table.h"

static int entries[8];

int table_entry(int index) {
  for (int i = 0; i < 8; i++) entries[i] = 2 * i + 3;
  return entries[index];
}
