//! What libclang shows is not always what the language says: it leaves out nodes that are not written, shows types as they are
//! spelled, and lists parts without saying which is which. Ways to reach a buffer where it does so.

mod fix_support;

use fix_support::Tree;

/// What is certain of a way.
#[derive(Clone, Copy, PartialEq, Eq)]
enum After {
    /// What is read after the copy back is known.
    Known,
    /// The way is not understood.
    Unclear,
}

/// A name; declarations; statements before the kernel runs; an expression that reads the buffer `h` (`z` is another one).
type Way = (&'static str, &'static str, &'static str, &'static str, After);

use After::{Known, Unclear};

const WAYS: &[Way] = &[
    // Classes of one name, in functions of their own.
    (
        "local2",
        "float f1(int n) { struct P { int a; }; P x{n}; P y; y = x; return y.a; }\nfloat f2(float* p) { struct P { float* q; }; P x; x.q = p; P y; y = x; return y.q[3]; }",
        "",
        "(f1(n), f2(h))",
        Known,
    ),
    (
        "local4",
        "float* g;\nfloat f1(int n) { struct P { int a; }; P x{n}; return x.a; }\nfloat f2(float* w) { struct P { float* q = g; }; P x; return x.q[3]; }",
        "",
        "(f1(n), g = h, f2(z))",
        Known,
    ),
    (
        "local5",
        "float* g;\nfloat f1(int n) { struct P { int a; }; struct Q { P p; }; Q x{n}; return x.p.a; }\nfloat f2(float* w) { struct P { float* q = g; }; struct Q { P p; }; Q x; return x.p.q[3]; }",
        "",
        "(f1(n), g = h, f2(z))",
        Unclear,
    ),
    // Lists without the braces of arrays in them.
    ("brace1", "", "float* t[2][2] = {h, h, h, h};", "t[1][0][3]", Known),
    ("brace3", "struct S { float* a[2]; float* b; };", "S s = {h, h};", "s.a[1][3]", Known),
    ("brace4", "struct S { float* a[2]; };", "S s = {h};", "s.a[0][3]", Known),
    ("elide1", "", "float* t[2][2] = {z, z, z, h};", "t[1][1][3]", Known),
    ("elide2", "", "float* t[2][2] = {{z}, h};", "t[1][0][3]", Known),
    ("elide3", "", "float* t[2][2][2] = {z, z, z, z, z, h};", "t[1][0][1][3]", Known),
    ("elide4", "struct S { int k; float* a[2]; };", "S s = {1, h};", "s.a[0][3]", Known),
    ("elide8", "struct S { float* a[2][2]; };", "S s{z, z, h, z};", "s.a[1][0][3]", Known),
    ("elide10", "struct S { char name[8]; float* p; };", "S s{\"ab\", h};", "s.p[3]", Known),
    ("newarr2", "", "auto t = new float*[2][2]{z, z, h, h};", "t[1][0][3]", Known),
    ("newarr3", "", "auto t = new float*[2][2]{{z, z}, {h, h}};", "t[1][0][3]", Known),
    (
        "retlist",
        "struct S { float* a[2]; float* b; }; S mk(float* p, float* w) { return {w, p}; }",
        "",
        "mk(h, z).a[1][3]",
        Known,
    ),
    (
        "arglist",
        "struct S { float* a[2]; float* b; }; float rd(S s) { return s.a[1][3]; }",
        "",
        "rd({z, h})",
        Known,
    ),
    // Call operators that are no lambda's, and lambdas that are.
    (
        "lambdaname",
        "struct lambda_sum { float* q; float operator()() const { return q[3]; } };",
        "lambda_sum f{h};",
        "f()",
        Known,
    ),
    (
        "lambdaname2",
        "struct lambda_sum { float* q; float operator()(int i) const { return q[i]; } };",
        "lambda_sum f{h};",
        "f(3)",
        Known,
    ),
    (
        "unnamedcls",
        "",
        "struct { float* q; float operator()() const { return q[3]; } } f{h};",
        "f()",
        Known,
    ),
    (
        "call2",
        "struct S { float* q; float operator()(int i, ...) { return q[i]; } };",
        "S s{h};",
        "s(3, 4)",
        Known,
    ),
    (
        "call3",
        "struct S { float* q; float operator()(int i, ...) { return q[i]; } };",
        "S s{h};",
        "s.operator()(3, 4)",
        Known,
    ),
    (
        "opcall2",
        "struct S { float* q; float operator()(float* p, int k = 3) const { return p[k]; } };",
        "S s{z};",
        "s(h)",
        Known,
    ),
    // Copies of lambdas.
    (
        "capalias",
        "",
        "float* p = h; float** pp = &p; auto f = [p] { return p[3]; }; *pp = z;",
        "f()",
        Unclear,
    ),
    (
        "capref",
        "",
        "float* p = h; float*& r = p; auto f = [p] { return p[3]; }; r = z;",
        "f()",
        Unclear,
    ),
    (
        "caplambda",
        "",
        "float* p = h; auto g = [&] { p = z; }; auto f = [p] { return p[3]; }; g();",
        "f()",
        Unclear,
    ),
    (
        "capmethod",
        "struct S { float* q; void set(float* z) { q = z; } };",
        "S s{h}; auto f = [s] { return s.q[3]; }; s.set(z);",
        "f()",
        Unclear,
    ),
    ("capcast", "", "float* p = h; auto f = [p] { return p[3]; }; (float*&)p = z;", "f()", Unclear),
    (
        "capstatic",
        "",
        "float* p = h; auto f = [p] { return p[3]; }; static_cast<float*&>(p) = z;",
        "f()",
        Unclear,
    ),
    ("capcomma", "", "float* p = h; auto f = [p] { return p[3]; }; (n, p) = z;", "f()", Unclear),
    (
        "capcond",
        "",
        "float* p = h; float* q = h; auto f = [p] { return p[3]; }; (n ? p : q) = z;",
        "f()",
        Unclear,
    ),
    (
        "caprange",
        "",
        "float* t[2] = {h, h}; auto f = [t] { return t[1][3]; }; for (auto& x : t) x = z;",
        "f()",
        Unclear,
    ),
    (
        "capmut2",
        "",
        "float* p = h; float* zz = z; auto f = [p, zz]() mutable { p = zz; return 0; }; f();",
        "p[3]",
        Unclear,
    ),
    (
        "capmut3",
        "",
        "float* p = h; float* zz = z; auto f = [=]() mutable { p = zz; return 0; }; f();",
        "p[3]",
        Unclear,
    ),
    // Functions that return pointers to functions.
    (
        "fnret",
        "typedef float (*F)(float* q); float one(float* q) { return 1; }\nfloat (*get(float* p, float* w))(float* q) { w[0] = p[3]; return one; }",
        "",
        "(get(h, z), z[0])",
        Known,
    ),
    (
        "fnret2",
        "float one(int q) { return 1; }\nfloat (*get(float* p, float* w))(int q) { w[0] = p[3]; return one; }",
        "",
        "(get(h, z), z[0])",
        Known,
    ),
    (
        "fnret3",
        "struct S { float* q; float (*get(float* p))(int k) { q = p; return nullptr; } };",
        "S s;",
        "(s.get(h), s.q[3])",
        Known,
    ),
    (
        "fnret5",
        "auto get(float* p, float* w) -> float (*)(int k) { *w = p[3]; return nullptr; }",
        "",
        "(get(h, z), z[0])",
        Known,
    ),
    (
        "fnret6",
        "float (&get(float* p, int (*f)(int k)))[4] { return *(float(*)[4])p; }",
        "",
        "get(h, nullptr)[3]",
        Known,
    ),
    // Default arguments, and the bounds of arrays.
    (
        "defarr4",
        "float* g; struct S { float* q; S(decltype(g) v) : q(v) {} S() : q(g) {} }; struct T { float* w = 0; S s; };",
        "",
        "([&] { g = h; T t; return t.s.q[3]; })()",
        Known,
    ),
    (
        "defarr5",
        "float* g; struct S { float* q; S(float (&v)[4]) : q(v) {} S() : q(g) {} }; struct T { float* w = 0; S s[2]; };",
        "",
        "([&] { g = h; T t; return t.s[1].q[3]; })()",
        Known,
    ),
    (
        "defarg2",
        "static float* g;\nfloat total(float p[4]);\nfloat total(float p[4] = g);\nfloat total(float p[4]) { return p[3]; }",
        "",
        "(g = h, total())",
        Known,
    ),
    (
        "defarg3",
        "static float* g;\nfloat total(float p[4] = g);\nfloat total(float p[4]) { return p[3]; }",
        "",
        "(g = h, total())",
        Known,
    ),
    // Expressions before the condition of an `if`.
    (
        "ifinit",
        "float* q;",
        "",
        "([&] { float* p = z; if (p = z; (p = h) != 0) return p[3]; return 0.f; })()",
        Known,
    ),
    ("ifinit2", "", "float* r = z; float* s = z; if (s = z; n > 3) r = h;", "r[3]", Known),
    ("ifinit3", "", "float* r = h; if (n = n; (r = h) == 0) r = z;", "r[3]", Known),
    ("ifinit6", "#define IF(c) if (c)", "float* r = h; IF(n > 3; 0) r = z;", "r[3]", Known),
    ("ifinit8", "", "float* r = z; if (n = n; n > 3) r = h; else r = z;", "r[3]", Known),
    ("ifinit9", "", "float* r = z; if (int k = n; k > 3) r = h; else r = z;", "r[3]", Known),
    // Bases that do not come first.
    (
        "base2",
        "struct A { float* a; }; struct B { float* b; }; struct D : A, B { float get() { return b[3]; } };",
        "D x; x.a = z; x.b = h;",
        "x.get()",
        Known,
    ),
    (
        "base4",
        "struct A { float* a; }; struct B { float* b; void bset(float* p) { b = p; } }; struct D : A, B { void set(float* p) { bset(p); } };",
        "D x; x.a = z; x.set(h);",
        "x.b[3]",
        Known,
    ),
    (
        "base7",
        "struct A { float* a; }; struct B { float* b; }; struct D : A, B { float* c; D(float* p) { b = p; a = 0; c = 0; } };",
        "D x(h);",
        "x.b[3]",
        Known,
    ),
    (
        "base10",
        "struct A { float* a; }; struct B { float* b; }; struct D : A, B { float get() { return [this] { return b[3]; }(); } void set(float* p, float* w) { b = p; a = w; } };",
        "D x; x.set(h, z);",
        "x.get()",
        Known,
    ),
    (
        "base11",
        "struct A { float* a; }; struct B : A { }; struct D : B { float* c; void set(float* p, float* w) { a = p; c = w; } float get() { return a[3]; } };",
        "D x; x.set(h, z);",
        "x.get()",
        Known,
    ),
    (
        "base12",
        "struct A { float* a; virtual void v() {} }; struct D : A { float* c; void v() override {} void set(float* p, float* w) { a = p; c = w; } float get() { return a[3]; } };",
        "D x; x.set(h, z);",
        "x.get()",
        Known,
    ),
    (
        "base21",
        "struct B { float* q; B& me() { return *this; } }; struct A { float* a; }; struct D : A, B { float get() { return me().q[3]; } };",
        "D x; x.a = z; x.q = h;",
        "x.get()",
        Known,
    ),
    // Members that are initialised by what their declarations say.
    (
        "nsdmi1",
        "struct S { float* a; float* b = a; };\nstruct T { float* k; float get(float* p) { S s{p}; return s.b[3]; } };",
        "",
        "T{z}.get(h)",
        Known,
    ),
    (
        "nsdmi1b",
        "struct S { float* a; float* b = a; };\nstruct T { float* k; float get(float* p) { S s{p}; return s.b[3]; } };",
        "T t; t.k = z;",
        "t.get(h)",
        Known,
    ),
    (
        "nsdmi2",
        "float* g; struct In { float* a = g; float* b = a; }; struct Out { float* y; In i; Out(float* k) : y(k) {} };",
        "",
        "(g = h, Out(z).i.b[3])",
        Known,
    ),
    (
        "nsdmi4",
        "float* g; struct In { float* a = g; float* b = this->a; }; struct Out { float* y; In i; Out(float* k) : y(k) {} };",
        "g = h; Out o(z);",
        "o.i.b[3]",
        Known,
    ),
    ("nsdmi5", "struct S { float* a; float* b = a; };", "S s{h};", "s.b[3]", Known),
    (
        "nsdmi6",
        "struct S { float* a; float* b = pick(); float* pick() { return a; } };",
        "S s{h};",
        "s.b[3]",
        Known,
    ),
    (
        "nsdmi10",
        "struct S { float* a; float* b = [&] { return a; }(); }; struct T { float* k; float get(float* p) { S s{p}; return s.b[3]; } };",
        "T t; t.k = z;",
        "t.get(h)",
        Unclear,
    ),
    (
        "nsdmi12",
        "template <class T> struct S { T* a; T* b = a; }; struct Q { float* k; float get(float* p) { S<float> s{p}; return s.b[3]; } };",
        "Q t; t.k = z;",
        "t.get(h)",
        Known,
    ),
    (
        "nsdmi14",
        "struct S { float* a; float* b = a; }; struct Q { float* k; S s{k}; Q(float* p) : k(p) {} };",
        "Q t(h);",
        "t.s.b[3]",
        Known,
    ),
    (
        "nsdmi17",
        "float* g; int put(float* p) { g = p; return 1; } float* hh; struct S { int n : 4 = put(hh); };",
        "",
        "([&] { hh = h; S s; return g[3]; })()",
        Unclear,
    ),
    // What is not evaluated.
    ("noexc2", "", "float* p = h; int b = __builtin_constant_p(p = z);", "p[3]", Unclear),
    ("noexc3", "", "float* p = h; __builtin_assume((p = z));", "p[3]", Unclear),
    ("sizeofx", "", "float* p = h; int b = sizeof(p = z);", "p[3]", Known),
    // References to pointers of other qualifiers.
    ("constref", "", "float* p = z; float* const& r = p; p = h;", "r[3]", Known),
    (
        "constref2",
        "float total(float* const& p, float*& q, float* w) { q = w; return p[3]; }",
        "float* p = z;",
        "total(p, p, h)",
        Known,
    ),
    ("constref3", "", "float* p = z; const float* const& r = p; p = h;", "r[3]", Known),
    (
        "inlineref2",
        "struct S { float* const& r; float get() { return r[3]; } };",
        "float* p = z; S s{p}; p = h;",
        "s.get()",
        Known,
    ),
    ("refbrace", "", "float* p = z; float*& r{p}; p = h;", "r[3]", Known),
    ("refbrace2", "", "float* p = z; float*& r = {p}; p = h;", "r[3]", Known),
    ("refcast2", "", "float* p = z; const float*& r = (const float*&)p; p = h;", "r[3]", Known),
    ("refcast6", "", "float* p = h; float* const& r = (float*)p; p = z;", "r[3]", Known),
    (
        "refrefm",
        "struct S { const float* const& r; S(float*& p) : r(p) {} };",
        "float* p = z; S s(p); p = h;",
        "s.r[3]",
        Known,
    ),
    // Casts to references.
    (
        "constcastr",
        "void set(float* const& p, float* w) { const_cast<float*&>(p) = w; }",
        "float* p = z;",
        "(set(p, h), p[3])",
        Known,
    ),
    (
        "buf1",
        "",
        "alignas(8) char buf[8]; reinterpret_cast<float*&>(buf) = h;",
        "reinterpret_cast<float*&>(buf)[3]",
        Known,
    ),
    ("buf3", "", "alignas(8) char buf[8]; (float*&)buf = h;", "(*(float**)buf)[3]", Known),
    ("buf4", "", "alignas(8) char buf[8]; (float*&)buf = h;", "((float*&)buf)[3]", Known),
    ("buf5", "", "long k; (float*&)k = h;", "((float*&)k)[3]", Known),
    ("buf6", "", "long k; (float*&)k = h;", "((float*)k)[3]", Known),
    ("buf9", "", "long k = 0; using R = float*&; (R)k = h;", "((float*)k)[3]", Known),
    (
        "conv5",
        "struct S { float* q; operator float*&() { return q; } };",
        "S s{z}; (float*&)s = h;",
        "s[3]",
        Known,
    ),
    // Members of structures without a name.
    (
        "anon2",
        "",
        "struct { float* k; struct { float* x; float* y; }; } s; s.k = z; s.x = h; s.y = z;",
        "s.x[3]",
        Known,
    ),
    (
        "anon5",
        "struct S { float* k; struct { float* x; float* y; }; float get() { return x[3]; } S(float* a, float* b) { k = b; y = b; x = a; k = b; } };",
        "S s(h, z);",
        "s.get()",
        Known,
    ),
    (
        "anon6",
        "struct S { float* k; union { float* x; long y; }; };",
        "S s; s.x = h; s.k = z;",
        "((float*)s.y)[3]",
        Unclear,
    ),
    (
        "anon7",
        "",
        "struct { float* k; struct { float* x; float* y; }; } s = {z, {h, z}};",
        "s.x[3]",
        Known,
    ),
    // References to pointers to arrays.
    (
        "refptrarr",
        "float (*&get(float (*&p)[4]))[4] { return p; }",
        "float (*q)[4] = (float (*)[4])z; get(q) = (float (*)[4])h;",
        "(*q)[3]",
        Known,
    ),
    // Choices without a second operand.
    ("el1", "", "", "(h ?: z)[3]", Known),
    ("el2", "", "", "*(h ?: z)", Known),
    // Enumerations with a type.
    (
        "enumc",
        "enum E : unsigned char { A = 200 };",
        "float* t[201]; E e = A; t[200] = h;",
        "t[(int)e][3]",
        Known,
    ),
    (
        "enum2",
        "enum E : short { A = -1 };",
        "float* t[3] = {z, h, z};",
        "t[1 + (int)A + 1][3]",
        Known,
    ),
    // Expressions that name objects, cast to references or bound to them.
    (
        "object_as1",
        "",
        "float* q = nullptr; float* y = nullptr; float* const& r = (q = y); q = h;",
        "r[3]",
        Known,
    ),
    (
        "object_as2",
        "",
        "float* q = nullptr; float* y = nullptr; const float* const& r = (q = y); q = h;",
        "const_cast<float*>(r)[3]",
        Known,
    ),
    (
        "object_as3",
        "",
        "float* q = nullptr; float* y = nullptr; (float*&)(q = y) = h;",
        "q[3]",
        Known,
    ),
    (
        "object_as4",
        "",
        "char* q = nullptr; char* y = nullptr; (float*&)(q = y) = h;",
        "((float*)q)[3]",
        Known,
    ),
    (
        "object_as5",
        "",
        "char* q = nullptr; char* y = nullptr; reinterpret_cast<float*&>(q = y) = h;",
        "((float*)q)[3]",
        Known,
    ),
    (
        "object_as6",
        "",
        "float* q = nullptr; float* y = nullptr; float*& r{q = y}; r = h;",
        "q[3]",
        Known,
    ),
    ("object_as7", "", "float* q = nullptr; float* y = nullptr; (q = y) = h;", "q[3]", Known),
    ("object_pre1", "", "float w[4]; float* q = w; float*& r{++q}; r = h;", "q[3]", Known),
    ("object_pre2", "", "char w[8]; char* q = w; (float*&)(++q) = h;", "((float*)q)[3]", Known),
    (
        "object_pre3",
        "",
        "char w[8]; char* q = w; reinterpret_cast<float*&>(q += 1) = h;",
        "((float*)q)[3]",
        Known,
    ),
    ("object_pre4", "", "float w[4]; float* q = w; float* const& r = ++q; q = h;", "r[3]", Known),
    (
        "object_el1",
        "",
        "char* q = nullptr; char* y = nullptr; (float*&)(n > 0 ? q : y) = h;",
        "((float*)q)[3]",
        Known,
    ),
    ("object_el2", "", "char* q = nullptr; (float*&)(n + 0, q) = h;", "((float*)q)[3]", Known),
    (
        "object_el3",
        "",
        "char* q = nullptr; char* y; (float*&)(y = nullptr, q) = h;",
        "((float*)q)[3]",
        Known,
    ),
    (
        "object_ext",
        "",
        "char* q = nullptr; (float*&)(__extension__ q) = h;",
        "((float*)q)[3]",
        Known,
    ),
    (
        "object_this1",
        "struct S { char* p; void set(float* x) { (float*&)p = x; } };",
        "S s{nullptr}; s.set(h);",
        "((float*)s.p)[3]",
        Known,
    ),
    (
        "object_this2",
        "struct S { char* p; void set(float* x) { (float*&)(this->p) = x; } };",
        "S s{nullptr}; s.set(h);",
        "((float*)s.p)[3]",
        Known,
    ),
    (
        "object_derefthis",
        "struct S { char* p; void set(float* x) { (*(S*)this).p = (char*)x; } };",
        "S s{nullptr}; s.set(h);",
        "((float*)s.p)[3]",
        Known,
    ),
    (
        "object_capt",
        "",
        "char* q = nullptr; auto f = [&] { (float*&)q = h; }; f();",
        "((float*)q)[3]",
        Known,
    ),
    (
        "object_tparam",
        "static char* gq; template <char** P> void set(float* x) { (float*&)*P = x; }",
        "set<&gq>(h);",
        "((float*)gq)[3]",
        Known,
    ),
    (
        "object_tref",
        "static char* gq; template <char*& P> void set(float* x) { (float*&)P = x; }",
        "set<gq>(h);",
        "((float*)gq)[3]",
        Known,
    ),
    (
        "object_enumf",
        "",
        "char* q = nullptr; char** t[1] = {&q}; (float*&)(**t) = h;",
        "((float*)q)[3]",
        Known,
    ),
    ("object_addrcast", "", "char* q = nullptr; *(float**)&q = h;", "((float*)q)[3]", Known),
    ("object_atomic", "", "char* q = nullptr; *&(float*&)q = h;", "((float*)q)[3]", Known),
];

/// A program that reads the buffer in that way before or after what a kernel has made of it is copied back.
fn program((_, declarations, setup, read, _): &Way, before: bool) -> String {
    let read = format!("  printf(\"%f\\n\", (double)({read}));\n");
    let copy = "  cudaMemcpy(h, d, bytes, cudaMemcpyDeviceToHost);\n";
    let (first, second) = if before { (&*read, copy) } else { (copy, &*read) };
    format!(
        "#include <cstdio>
#include <cstdlib>
{declarations}
__global__ void scale(float* v, int n) {{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) v[i] *= 2;
}}
int main() {{
  int n = 65536;
  size_t bytes = 65536 * sizeof(float);
  float* h = (float*)malloc(bytes);
  float* d;
  float z[16] = {{1}};
  cudaMalloc(&d, bytes);
  for (int i = 0; i < n; i++) h[i] = i;
  {setup}
  cudaMemcpy(d, h, bytes, cudaMemcpyHostToDevice);
  scale<<<256, 256>>>(d, n);
  cudaDeviceSynchronize();
{first}{second}  cudaFree(d);
  free(h);
}}
"
    )
}

/// The ways whose pair is merged.
fn merged(before: bool) -> Vec<String> {
    let tree = Tree::new();
    for way in WAYS {
        tree.write(&format!("{}.cu", way.0), program(way, before));
    }
    tree.merged_files(&[])
}

#[test]
fn an_old_value_that_is_read_in_such_a_way_is_needed() {
    assert_eq!(merged(true), Vec::<String>::new());
}

#[test]
fn what_is_read_in_a_way_that_is_understood_is_known() {
    let found = merged(false);
    let known = WAYS.iter().filter(|way| way.4 == Known).map(|way| way.0);
    let lost: Vec<_> = known.filter(|name| !found.iter().any(|f| f == name)).collect();
    assert!(lost.is_empty(), "{lost:?}");
}
