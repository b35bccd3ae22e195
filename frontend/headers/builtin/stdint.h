// For a libclang that comes without its own headers; used with -nobuiltininc only: the C library's is complete.
#include_next <stdint.h>
