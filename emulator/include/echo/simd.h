// Packed bytes and halfwords.
#pragma once
#define ECHO_PACKED(NAME, BITS, T, EXPR)                                                                            \
    ECHO_DEVICE unsigned NAME(unsigned a, unsigned b) {                                                             \
        unsigned r = 0;                                                                                             \
        const unsigned mask = BITS == 8 ? 0xffu : 0xffffu;                                                          \
        for (int s = 0; s < 32; s += BITS) {                                                                        \
            long x = (T)(a >> s & mask), y = (T)(b >> s & mask);                                                    \
            (void)y;                                                                                                \
            r |= ((unsigned)(EXPR) & mask) << s;                                                                    \
        }                                                                                                           \
        return r;                                                                                                   \
    }
ECHO_PACKED(__vadd4, 8, unsigned char, x + y)
ECHO_PACKED(__vsub4, 8, unsigned char, x - y)
ECHO_PACKED(__vaddss4, 8, signed char, x + y > 127 ? 127 : x + y < -128 ? -128 : x + y)
ECHO_PACKED(__vaddus4, 8, unsigned char, x + y > 255 ? 255 : x + y)
ECHO_PACKED(__vsubss4, 8, signed char, x - y > 127 ? 127 : x - y < -128 ? -128 : x - y)
ECHO_PACKED(__vsubus4, 8, unsigned char, x < y ? 0 : x - y)
ECHO_PACKED(__vavgu4, 8, unsigned char, (x + y + 1) >> 1)
ECHO_PACKED(__vmaxs4, 8, signed char, x > y ? x : y)
ECHO_PACKED(__vmaxu4, 8, unsigned char, x > y ? x : y)
ECHO_PACKED(__vmins4, 8, signed char, x < y ? x : y)
ECHO_PACKED(__vminu4, 8, unsigned char, x < y ? x : y)
ECHO_PACKED(__vabsdiffu4, 8, unsigned char, x > y ? x - y : y - x)
ECHO_PACKED(__vabsdiffs4, 8, signed char, x > y ? x - y : y - x)
ECHO_PACKED(__vcmpeq4, 8, unsigned char, x == y ? -1 : 0)
ECHO_PACKED(__vseteq4, 8, unsigned char, x == y ? 1 : 0)
ECHO_PACKED(__vcmpne4, 8, unsigned char, x != y ? -1 : 0)
ECHO_PACKED(__vsetne4, 8, unsigned char, x != y ? 1 : 0)
ECHO_PACKED(__vcmpgts4, 8, signed char, x > y ? -1 : 0)
ECHO_PACKED(__vsetgts4, 8, signed char, x > y ? 1 : 0)
ECHO_PACKED(__vcmpgtu4, 8, unsigned char, x > y ? -1 : 0)
ECHO_PACKED(__vsetgtu4, 8, unsigned char, x > y ? 1 : 0)
ECHO_PACKED(__vcmpges4, 8, signed char, x >= y ? -1 : 0)
ECHO_PACKED(__vsetges4, 8, signed char, x >= y ? 1 : 0)
ECHO_PACKED(__vcmpgeu4, 8, unsigned char, x >= y ? -1 : 0)
ECHO_PACKED(__vsetgeu4, 8, unsigned char, x >= y ? 1 : 0)
ECHO_PACKED(__vcmplts4, 8, signed char, x < y ? -1 : 0)
ECHO_PACKED(__vsetlts4, 8, signed char, x < y ? 1 : 0)
ECHO_PACKED(__vcmpltu4, 8, unsigned char, x < y ? -1 : 0)
ECHO_PACKED(__vsetltu4, 8, unsigned char, x < y ? 1 : 0)
ECHO_PACKED(__vcmples4, 8, signed char, x <= y ? -1 : 0)
ECHO_PACKED(__vsetles4, 8, signed char, x <= y ? 1 : 0)
ECHO_PACKED(__vcmpleu4, 8, unsigned char, x <= y ? -1 : 0)
ECHO_PACKED(__vsetleu4, 8, unsigned char, x <= y ? 1 : 0)
ECHO_PACKED(__vadd2, 16, unsigned short, x + y)
ECHO_PACKED(__vsub2, 16, unsigned short, x - y)
ECHO_PACKED(__vaddss2, 16, short, x + y > 32767 ? 32767 : x + y < -32768 ? -32768 : x + y)
ECHO_PACKED(__vaddus2, 16, unsigned short, x + y > 65535 ? 65535 : x + y)
ECHO_PACKED(__vsubss2, 16, short, x - y > 32767 ? 32767 : x - y < -32768 ? -32768 : x - y)
ECHO_PACKED(__vsubus2, 16, unsigned short, x < y ? 0 : x - y)
ECHO_PACKED(__vavgu2, 16, unsigned short, (x + y + 1) >> 1)
ECHO_PACKED(__vmaxs2, 16, short, x > y ? x : y)
ECHO_PACKED(__vmaxu2, 16, unsigned short, x > y ? x : y)
ECHO_PACKED(__vmins2, 16, short, x < y ? x : y)
ECHO_PACKED(__vminu2, 16, unsigned short, x < y ? x : y)
ECHO_PACKED(__vabsdiffu2, 16, unsigned short, x > y ? x - y : y - x)
ECHO_PACKED(__vabsdiffs2, 16, short, x > y ? x - y : y - x)
ECHO_PACKED(__vcmpeq2, 16, unsigned short, x == y ? -1 : 0)
ECHO_PACKED(__vseteq2, 16, unsigned short, x == y ? 1 : 0)
ECHO_PACKED(__vcmpne2, 16, unsigned short, x != y ? -1 : 0)
ECHO_PACKED(__vsetne2, 16, unsigned short, x != y ? 1 : 0)
ECHO_PACKED(__vcmpgts2, 16, short, x > y ? -1 : 0)
ECHO_PACKED(__vsetgts2, 16, short, x > y ? 1 : 0)
ECHO_PACKED(__vcmpgtu2, 16, unsigned short, x > y ? -1 : 0)
ECHO_PACKED(__vsetgtu2, 16, unsigned short, x > y ? 1 : 0)
ECHO_PACKED(__vcmpges2, 16, short, x >= y ? -1 : 0)
ECHO_PACKED(__vsetges2, 16, short, x >= y ? 1 : 0)
ECHO_PACKED(__vcmpgeu2, 16, unsigned short, x >= y ? -1 : 0)
ECHO_PACKED(__vsetgeu2, 16, unsigned short, x >= y ? 1 : 0)
ECHO_PACKED(__vcmplts2, 16, short, x < y ? -1 : 0)
ECHO_PACKED(__vsetlts2, 16, short, x < y ? 1 : 0)
ECHO_PACKED(__vcmpltu2, 16, unsigned short, x < y ? -1 : 0)
ECHO_PACKED(__vsetltu2, 16, unsigned short, x < y ? 1 : 0)
ECHO_PACKED(__vcmples2, 16, short, x <= y ? -1 : 0)
ECHO_PACKED(__vsetles2, 16, short, x <= y ? 1 : 0)
ECHO_PACKED(__vcmpleu2, 16, unsigned short, x <= y ? -1 : 0)
ECHO_PACKED(__vsetleu2, 16, unsigned short, x <= y ? 1 : 0)
#undef ECHO_PACKED
ECHO_DEVICE unsigned __vabs4(unsigned a) { return __vabsdiffs4(a, 0); }
ECHO_DEVICE unsigned __vneg4(unsigned a) { return __vsub4(0, a); }
ECHO_DEVICE unsigned __vabs2(unsigned a) { return __vabsdiffs2(a, 0); }
ECHO_DEVICE unsigned __vneg2(unsigned a) { return __vsub2(0, a); }
ECHO_DEVICE unsigned __vsadu4(unsigned a, unsigned b) {
    unsigned d = __vabsdiffu4(a, b);
    return (d & 255) + (d >> 8 & 255) + (d >> 16 & 255) + (d >> 24);
}
ECHO_DEVICE int __dp4a(int a, int b, int c) {
    for (int s = 0; s < 32; s += 8) c += (int)(signed char)(a >> s) * (signed char)(b >> s);
    return c;
}
ECHO_DEVICE unsigned __dp4a(unsigned a, unsigned b, unsigned c) {
    for (int s = 0; s < 32; s += 8) c += (a >> s & 255) * (b >> s & 255);
    return c;
}
