// What the two files share.
#include <cstddef>

double other(int n);
