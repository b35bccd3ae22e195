"""A Python program that uses the driver through ctypes; its first argument names a behaviour."""
import ctypes
import os
import sys

behaviour, rounds, size = sys.argv[1], 6, 1 << 20
# Python's own stack looks the same for both buffers: only their sizes tell them apart.
out = 1 << 19
cuda = ctypes.CDLL("libcuda.so.1")
lookup = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_char_p, ctypes.POINTER(ctypes.c_void_p), ctypes.c_int,
                          ctypes.c_uint64, ctypes.c_void_p)
# By name, as a binding generator does it: through dlsym.
find = cuda.cuGetProcAddress_v2
find.argtypes = [ctypes.c_char_p, ctypes.POINTER(ctypes.c_void_p), ctypes.c_int, ctypes.c_uint64, ctypes.c_void_p]


def function(name, *arguments):
    address = ctypes.c_void_p()
    assert find(name.encode(), ctypes.byref(address), 3020, 0, None) == 0, name
    return ctypes.CFUNCTYPE(ctypes.c_int, *arguments)(address.value)


word, pointer, count = ctypes.c_size_t, ctypes.c_void_p, ctypes.c_uint
initialise = function("cuInit", count)
retain = function("cuDevicePrimaryCtxRetain", ctypes.POINTER(pointer), ctypes.c_int)
current = function("cuCtxSetCurrent", pointer)
allocate = function("cuMemAlloc", ctypes.POINTER(word), word)
upload = function("cuMemcpyHtoD", word, pointer, word)
download = function("cuMemcpyDtoH", pointer, word, word)
load = function("cuModuleLoadData", ctypes.POINTER(pointer), pointer)
symbol = function("cuModuleGetFunction", ctypes.POINTER(pointer), pointer, ctypes.c_char_p)
launch = function("cuLaunchKernel", pointer, count, count, count, count, count, count, count, pointer,
                  ctypes.POINTER(pointer), pointer)
release = function("cuMemFree", word)

context, module, kernel, di, do = pointer(), pointer(), pointer(), word(), word()
initialise(0)
retain(ctypes.byref(context), 0)
current(context)
kernels = open(os.environ["KERNELS"], "rb").read() if "KERNELS" in os.environ else b""
load(ctypes.byref(module), ctypes.cast(ctypes.create_string_buffer(kernels), pointer))
symbol(ctypes.byref(kernel), module, b"twice")
hi = ctypes.create_string_buffer(size)
allocate(ctypes.byref(di), size)
ho = ctypes.create_string_buffer(out)
allocate(ctypes.byref(do), out)
floats = ctypes.cast(hi, ctypes.POINTER(ctypes.c_float))
results = ctypes.cast(ho, ctypes.POINTER(ctypes.c_float))
values = (word(di.value), word(do.value), word(out // 4), ctypes.c_double(0))
parameters = (pointer * 4)(*[ctypes.cast(ctypes.byref(v), pointer).value for v in values])
for number in range(rounds):
    for i in range(0, size // 4, 64):
        floats[i] = number + i % 7
    upload(di, hi, size)
    launch(kernel, 1, 1, 1, 1, 1, 1, 0, None, parameters, None)
    if behaviour == "write" and number > 1:
        hi[100] = b"x"
    download(ho, do, out)
    print("round", number, sum(results[i] for i in range(0, out // 4, 64)), flush=True)
release(di)
release(do)
