// For a libclang that comes without its own headers; used with -nobuiltininc only.
#ifndef ECHO_STDDEF_H
#define ECHO_STDDEF_H
typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;
#ifndef __cplusplus
typedef __WCHAR_TYPE__ wchar_t;
#else
namespace std {
typedef decltype(nullptr) nullptr_t;
}
using ::std::nullptr_t;
#endif
typedef __WINT_TYPE__ wint_t;
typedef struct {
    long long a __attribute__((aligned(__alignof__(long long))));
    long double b __attribute__((aligned(__alignof__(long double))));
} max_align_t;
#undef NULL
#ifdef __cplusplus
#define NULL __null
#else
#define NULL ((void *)0)
#endif
#define offsetof(type, member) __builtin_offsetof(type, member)
#endif
// glibc asks for single definitions by these macros and expects them to be gone afterwards.
#undef __need_size_t
#undef __need_ptrdiff_t
#undef __need_NULL
#undef __need_wchar_t
#undef __need_wint_t
