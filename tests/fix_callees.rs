//! Calls of what is not named: through pointers to functions, tables, operators and conversions that yield them. The type of
//! the callee tells what is passed by reference and what is returned.

mod fix_support;

use fix_support::Tree;

/// A name; declarations; statements before the copy to the device; what then changes the buffer `h`.
type Way = (&'static str, &'static str, &'static str, &'static str);

#[rustfmt::skip]
const WAYS: &[Way] = &[
    ("refret", "static float& at(float* p, int i) { return p[i]; }", "float& (*f)(float*, int) = at;", "f(h, 3) = 9;"),
    ("refret2", "static float& at(float* p, int i) { return p[i]; }", "float& (*f)(float*, int) = at;", "float& r = f(h, 3); r = 9;"),
    ("ptrret", "static float* at(float* p) { return p + 1; }", "float* (*f)(float*) = at;", "*f(h) = 9;"),
    ("paramptr", "static void bump(float& x) { x += 1; }\nstatic void call(void (*f)(float&), float* p) { f(p[3]); }", "", "call(bump, h);"),
    ("tmplf", "static void bump(float& x) { x += 1; }\ntemplate <class F, class... A> void call(F f, A&&... a) { f(static_cast<A&&>(a)...); }", "", "call(bump, h[3]);"),
    ("tmplref", "static void bump(float& x) { x += 1; }\ntemplate <class F> void call(F&& f, float* p) { f(p[3]); }", "", "call(bump, h);"),
    ("tmplnon", "static void bump(float& x) { x += 1; }\ntemplate <void (*F)(float&)> void call(float* p) { F(p[3]); }", "", "call<bump>(h);"),
    ("structf", "static void bump(float& x) { x += 1; }\nstruct Ops { void (*f)(float&); };", "Ops o = {bump};", "o.f(h[3]);"),
    ("structfp", "static void bump(float& x) { x += 1; }\nstruct Ops { void (*f)(float&); };", "Ops o = {bump}; Ops* q = &o;", "q->f(h[3]);"),
    ("memfield", "struct Ops { void (*f)(float&); float* p; void go() { f(p[3]); } };\nstatic void bump(float& x) { x += 1; }", "Ops o = {bump, h};", "o.go();"),
    ("virt", "struct B { virtual void go(float& x) { x += 1; } virtual ~B() {} };\nstruct D : B { void go(float& x) override { x += 2; } };", "D o; B& b = o;", "b.go(h[3]);"),
    ("virtp", "struct B { virtual void go(float& x) { x += 1; } virtual ~B() {} };\nstruct D : B { void go(float& x) override { x += 2; } };", "B* b = new D;", "b->go(h[3]);"),
    ("cond", "static void bump(float& x) { x += 1; }\nstatic void dec(float& x) { x -= 1; }", "", "(argc > 1 ? bump : dec)(h[3]);"),
    ("condaddr", "static void bump(float& x) { x += 1; }\nstatic void dec(float& x) { x -= 1; }", "", "(argc > 1 ? &bump : &dec)(h[3]);"),
    ("starf", "static void bump(float& x) { x += 1; }", "", "(*bump)(h[3]);"),
    ("addrf", "static void bump(float& x) { x += 1; }", "", "(&bump)(h[3]);"),
    ("castf", "static void bump(float& x) { x += 1; }", "void* v = (void*)bump;", "((void (*)(float&))v)(h[3]);"),
    ("castrefptr", "static void bump(float* x) { *x += 1; }", "", "((void (*)(float&))bump)(h[3]);"),
    ("lamplus", "", "auto f = +[](float& x) { x += 1; };", "f(h[3]);"),
    ("ptrref", "static float other[1 << 16];\nstatic void move(float*& p) { p = other; }", "void (*f)(float*&) = move; float* q = other;\n  void (*g)(float*&) = [](float*& p) { (void)p; };", "q = h; g(q); q[3] = 9;"),
    ("reseat", "static void seat(float*& p, float* to) { p = to; }", "void (*f)(float*&, float*) = seat; float* q = nullptr;", "f(q, h); q[3] = 9;"),
    ("out", "static void give(float** p, float* to) { *p = to; }", "void (*f)(float**, float*) = give; float* q = nullptr;", "f(&q, h); q[3] = 9;"),
    ("rref", "static void eat(float&& x) { x += 1; }", "void (*f)(float&&) = eat;", "f(static_cast<float&&>(h[3]));"),
    ("cref", "static void peek(const float& x) { const_cast<float&>(x) += 1; }", "void (*f)(const float&) = peek;", "f(h[3]);"),
    ("refarr", "static void fill(float (&x)[4]) { x[3] += 1; }", "void (*f)(float (&)[4]) = fill;", "f(*(float (*)[4])h);"),
    ("struref", "struct P { float* p; };\nstatic void go(P& x) { x.p[3] += 1; }", "P p{h}; void (*f)(P&) = go;", "f(p);"),
    ("strval", "struct P { float* p; };\nstatic void go(P x) { x.p[3] += 1; }", "P p{h}; void (*f)(P) = go;", "f(p);"),
    ("typed", "typedef void (*Fn)(float&);\nstatic void bump(float& x) { x += 1; }\nstatic Fn table[] = {bump, bump};", "", "table[argc & 1](h[3]);"),
    ("typed2", "typedef void Fn(float&);\nstatic void bump(float& x) { x += 1; }\nstatic void call(Fn f, float* p) { f(p[3]); }", "", "call(bump, h);"),
    ("noexc", "static void bump(float& x) noexcept { x += 1; }", "void (*f)(float&) noexcept = bump;", "f(h[3]);"),
    ("autof", "static void bump(float& x) { x += 1; }", "auto f = bump;", "f(h[3]);"),
    ("autoref", "static void bump(float& x) { x += 1; }", "auto& f = bump;", "f(h[3]);"),
    ("decl", "static void bump(float& x) { x += 1; }", "decltype(&bump) f = bump;", "f(h[3]);"),
    ("conv", "static void bump(float& x) { x += 1; }\nstruct C { using F = void (*)(float&); operator F() const { return bump; } };", "C c;", "c(h[3]);"),
    ("ret2", "static void bump(float& x) { x += 1; }\nstatic auto get() -> void (*)(float&) { return bump; }", "", "get()(h[3]);"),
    ("stm", "static void bump(float& x) { x += 1; }", "", "({ bump; })(h[3]);"),
    ("comma", "static void bump(float& x) { x += 1; }", "", "(argc++, bump)(h[3]);"),
    ("ellip", "static void put(float* p, ...) { p[3] += 1; }", "void (*f)(float*, ...) = put;", "f(h, 1, 2);"),
    ("blockstatic", "static void bump(float& x) { x += 1; }", "static void (*const f)(float&) = bump;", "f(h[3]);"),
    ("opidx", "static void bump(float& x) { x += 1; }\nusing F = void (*)(float&);\nstruct T { F f; F operator[](int) const { return f; } };", "T t{bump};", "t[0](h[3]);"),
    ("opstar", "static void bump(float& x) { x += 1; }\nusing F = void (*)(float&);\nstruct T { F f; F operator*() const { return f; } };", "T t{bump};", "(*t)(h[3]);"),
    ("oparrow", "static void bump(float& x) { x += 1; }\nusing F = void (*)(float&);\nstruct S { F f; }; struct T { S s; S* operator->() { return &s; } };", "T t{{bump}};", "t->f(h[3]);"),
    ("opcall", "static void bump(float& x) { x += 1; }\nusing F = void (*)(float&);\nstruct T { F f; F operator()() const { return f; } };", "T t{bump};", "t()(h[3]);"),
    ("opcallref", "static void bump(float& x) { x += 1; }\nusing F = void (*)(float&);\nstruct T { F f; F& operator()() { return f; } };", "T t{bump};", "t()(h[3]);"),
    ("oplus", "static void bump(float& x) { x += 1; }\nusing F = void (*)(float&);\nstruct T { F f; F operator+(int) const { return f; } };", "T t{bump};", "(t + 1)(h[3]);"),
    ("arr", "static void bump(float& x) { x += 1; }\nusing F = void (*)(float&);\n#include <array>", "std::array<F, 2> t{bump, bump};", "t[argc & 1](h[3]);"),
    ("map", "static void bump(float& x) { x += 1; }\nusing F = void (*)(float&);\n#include <map>", "std::map<int, F> t; t[1] = bump;", "t[1](h[3]);"),
    ("meth", "static void bump(float& x) { x += 1; }\nusing F = void (*)(float&);\nstruct T { F f; F get() const { return f; } };", "T t{bump};", "t.get()(h[3]);"),
    ("methobj", "struct G { void operator()(float& x) const { x += 1; } }; struct T { G get() const { return G(); } };", "T t;", "t.get()(h[3]);"),
    ("stat", "static void bump(float& x) { x += 1; }\nusing F = void (*)(float&);\nstruct T { static F get() { return bump; } };", "", "T::get()(h[3]);"),
    ("tmplget", "static void bump(float& x) { x += 1; }\nusing F = void (*)(float&);\ntemplate <int I> F get() { return bump; }", "", "get<1>()(h[3]);"),
    ("conv_2", "static void bump(float& x) { x += 1; }\nusing F = void (*)(float&);\nstruct C { operator F() const { return bump; } };", "C c;", "c(h[3]);"),
    ("conv0", "static float* gh; static void bump() { gh[3] += 1; }\nusing F = void (*)(); struct C { operator F() const { return bump; } };", "gh = h; C c;", "c();"),
    ("convref", "static void bump(float& x) { x += 1; }\nusing R = void (&)(float&); struct C { operator R() const { return bump; } };", "C c;", "c(h[3]);"),
    ("refout", "static float& at(float* p, int i) { return p[i]; }", "float& (*f)(float*, int) = at; float& r = f(h, 3);", "r = 9;"),
    ("refout2", "static float& at(float* p, int i) { return p[i]; }", "float& (*f)(float*, int) = at; float* r = &f(h, 3);", "*r = 9;"),
    ("refout3", "static float*& at(float** p) { return *p; }", "float* q = nullptr; float*& (*f)(float**) = at; f(&q) = h;", "q[3] = 9;"),
    ("refout4", "static float* gp; static float*& at() { return gp; }", "float*& (*f)() = at; f() = h;", "gp[3] = 9;"),
    ("refout5", "struct P { float* p; }; static P& at(P& p) { return p; }", "P o{nullptr}; P& (*f)(P&) = at; f(o).p = h;", "o.p[3] = 9;"),
    ("refout6", "struct P { float* p; }; static P& at(P* p) { return *p; }", "P o{nullptr}; P& (*f)(P*) = at; P& r = f(&o); r.p = h;", "o.p[3] = 9;"),
    ("refout7", "static float*& at(float*& p) { return p; }", "float* q = nullptr; float*& (*f)(float*&) = at; float*& r = f(q); r = h;", "q[3] = 9;"),
    ("refout8", "static float*& at(float*& p) { return p; }", "float* q = nullptr; auto f = at; auto& r = f(q); r = h;", "q[3] = 9;"),
    ("virtret", "struct B2 { float* p; virtual float*& at() { return p; } virtual ~B2() {} };", "B2* o = new B2; o->at() = h;", "o->p[3] = 9;"),
    ("valout", "struct P { float* p; }; static P make(float* p) { return P{p}; }", "P (*f)(float*) = make; P o = f(h);", "o.p[3] = 9;"),
    ("valout2", "struct P { float* p; }; static P make(float* p) { return P{p}; }", "P (*f)(float*) = make; P o; o = f(h);", "o.p[3] = 9;"),
    ("valout3", "struct P { float* p; }; static P make(float* p) { return P{p}; }", "P (*f)(float*) = make; float* q = f(h).p;", "q[3] = 9;"),
    ("valglob", "struct P { float* p; }; static P g; static P make() { return g; }", "g.p = h; P (*f)() = make; P o = f();", "o.p[3] = 9;"),
    ("ptrglob", "static float* g; static float* make() { return g; }", "g = h; float* (*f)() = make; float* o = f();", "o[3] = 9;"),
    ("lval", "struct P { float* p; };", "auto f = [](float* p) { return P{p}; }; P (*g)(float*) = f; P o = g(h);", "o.p[3] = 9;"),
    ("result_creq", "static float*& at(float*& p) { return p; }", "float* q = nullptr; float*& (*f)(float*&) = at; float* const& r = f(q); q = h;", "r[3] = 9;"),
    ("result_creq2", "static float*& at(float*& p) { return p; }", "float* q = nullptr; float*& (*f)(float*&) = at; const float* const& r = f(q); q = h;", "const_cast<float*>(r)[3] = 9;"),
    ("result_castref", "static char*& at(char*& p) { return p; }", "char* q = nullptr; char*& (*f)(char*&) = at; (float*&)f(q) = h;", "((float*)q)[3] = 9;"),
    ("result_castref2", "static char*& at(char*& p) { return p; }", "char* q = nullptr; char*& (*f)(char*&) = at; reinterpret_cast<float*&>(f(q)) = h;", "((float*)q)[3] = 9;"),
    ("result_castref3", "static float*& at(float*& p) { return p; }", "float* q = nullptr; float*& (*f)(float*&) = at; const_cast<float*&>(f(q)) = h;", "q[3] = 9;"),
    ("result_condref", "static float*& at(float*& p) { return p; }", "float* q = nullptr; float* z = nullptr; float*& (*f)(float*&) = at; (argc > 0 ? f(q) : z) = h;", "q[3] = 9;"),
    ("result_brace", "static float*& at(float*& p) { return p; }", "float* q = nullptr; float*& (*f)(float*&) = at; float*& r{f(q)}; r = h;", "q[3] = 9;"),
    ("result_parenc", "static float*& at(float*& p) { return p; }", "float* q = nullptr; float*& (*f)(float*&) = at; ((f(q))) = h;", "q[3] = 9;"),
    ("result_addr", "static float*& at(float*& p) { return p; }", "float* q = nullptr; float*& (*f)(float*&) = at; float** r = &f(q); *r = h;", "q[3] = 9;"),
    ("result_virtc", "struct B2 { float* p = nullptr; virtual float*& at() { return p; } virtual ~B2() {} };", "B2* o = new B2; float* const& r = o->at(); o->p = h;", "r[3] = 9;"),
    ("result_stmtref", "static float*& at(float*& p) { return p; }", "float* q = nullptr; float*& (*f)(float*&) = at; auto&& r = f(q); r = h;", "q[3] = 9;"),
    ("result_lamref", "", "float* q = nullptr; auto f = [&]() -> float*& { return q; }; float* const& r = f(); q = h;", "r[3] = 9;"),
    ("result_arrref", "static float (&at(float (&p)[4]))[4] { return p; }", "float (&(*f)(float (&)[4]))[4] = at; auto& r = f(*(float (*)[4])h);", "r[3] = 9;"),
    ("result_arrref2", "static float (&at(float (&p)[4]))[4] { return p; }", "float (&(*f)(float (&)[4]))[4] = at; float* r = f(*(float (*)[4])h);", "r[3] = 9;"),
];

/// A program that does `act` between the copy to the device and the kernel.
fn program(declarations: &str, setup: &str, act: &str) -> String {
    format!(
        "#include <array>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <cuda_runtime.h>
__global__ void scale(float* v, int n) {{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) v[i] *= 2;
}}
{declarations}
int main(int argc, char** argv) {{
  int n = 65536;
  size_t bytes = 65536 * sizeof(float);
  float* h = (float*)malloc(bytes);
  float* d;
  cudaMalloc(&d, bytes);
  for (int i = 0; i < n; i++) h[i] = i;
  {setup}
  cudaMemcpy(d, h, bytes, cudaMemcpyHostToDevice);
  {act}
  scale<<<256, 256>>>(d, n);
  cudaMemcpy(h, d, bytes, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 5; i++) printf(\"%f\\n\", h[i]);
  cudaFree(d);
  free(h);
}}
"
    )
}

/// The names of the files whose pair is merged where the host may touch a buffer at any time: what is not known of a callee
/// concerns memory alone there.
fn merged(tree: &Tree) -> Vec<String> {
    tree.merged_files(&["--target", "thor"])
}

#[test]
fn what_a_callee_changes_by_reference_is_changed() {
    let tree = Tree::new();
    for (name, declarations, setup, act) in WAYS {
        tree.write(&format!("{name}.cu"), program(declarations, setup, act));
    }
    assert_eq!(merged(&tree), Vec::<String>::new());
}

#[test]
fn the_same_program_without_a_change_is_merged() {
    let tree = Tree::new();
    tree.write("plain.cu", program("", "", "printf(\"%f\\n\", h[3]);"));
    assert_eq!(merged(&tree), ["plain"]);
}
