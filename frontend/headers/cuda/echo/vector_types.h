// int2, float4, dim3 and their makers. Plain structs, so that `.x` is an ordinary member.
#ifndef ECHO_VECTOR_TYPES_H
#define ECHO_VECTOR_TYPES_H

#define ECHO_VECTOR(name, type, a1, a2, a4)                                                                           \
    struct name##1 { type x; };                                                                                       \
    typedef struct name##1 name##1;                                                                                   \
    struct __attribute__((aligned(a2))) name##2 { type x, y; };                                                       \
    typedef struct name##2 name##2;                                                                                   \
    struct name##3 { type x, y, z; };                                                                                 \
    typedef struct name##3 name##3;                                                                                   \
    struct __attribute__((aligned(a4))) name##4 { type x, y, z, w; };                                                 \
    typedef struct name##4 name##4;                                                                                   \
    ECHO_C ECHO_HD name##1 make_##name##1(type x);                                                                    \
    ECHO_C ECHO_HD name##2 make_##name##2(type x, type y);                                                            \
    ECHO_C ECHO_HD name##3 make_##name##3(type x, type y, type z);                                                    \
    ECHO_C ECHO_HD name##4 make_##name##4(type x, type y, type z, type w);

ECHO_VECTOR(char, signed char, 1, 2, 4)
ECHO_VECTOR(uchar, unsigned char, 1, 2, 4)
ECHO_VECTOR(short, short, 2, 4, 8)
ECHO_VECTOR(ushort, unsigned short, 2, 4, 8)
ECHO_VECTOR(int, int, 4, 8, 16)
ECHO_VECTOR(uint, unsigned int, 4, 8, 16)
ECHO_VECTOR(long, long, 8, 16, 16)
ECHO_VECTOR(ulong, unsigned long, 8, 16, 16)
ECHO_VECTOR(longlong, long long, 8, 16, 16)
ECHO_VECTOR(ulonglong, unsigned long long, 8, 16, 16)
ECHO_VECTOR(float, float, 4, 8, 16)
ECHO_VECTOR(double, double, 8, 16, 16)

struct dim3 {
    unsigned int x, y, z;
#ifdef __cplusplus
    ECHO_HD constexpr dim3(unsigned int x = 1, unsigned int y = 1, unsigned int z = 1) : x(x), y(y), z(z) {}
    ECHO_HD constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
    ECHO_HD operator uint3() const;
#endif
};
typedef struct dim3 dim3;
#endif
