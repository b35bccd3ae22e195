//! A parameter that is written as an array is a pointer, however it is used. libclang shows it, and what is made of it, as the
//! array that was written.

mod fix_support;

use fix_support::Tree;

/// Ways to read through such a parameter: declarations, and an expression that reads the buffer `h` of `n` elements.
const WAYS: &[(&str, &str, &str)] = &[
    (
        "arr",
        "float total(const float p[], int n) { float s = 0; for (int i = 0; i < n; i++) s += p[i]; return s; }",
        "total(h, n)",
    ),
    (
        "sized",
        "float total(float p[16], int n) { float s = 0; for (int i = 0; i < n; i++) s += p[i]; return s; }",
        "total(h, n)",
    ),
    ("deref0", "float total(float p[], int n) { return *p; }", "total(h, n)"),
    ("paren", "float total(float p[], int n) { return (p)[3]; }", "total(h, n)"),
    (
        "inc",
        "float total(float p[], int n) { float s = 0; while (n--) s += *p++; return s; }",
        "total(h, n)",
    ),
    ("addas", "float total(float p[], int n) { p += 4; return *p; }", "total(h, n)"),
    ("auto", "float total(float p[], int n) { auto q = p; return q[3]; }", "total(h, n)"),
    ("auto1", "float total(float p[], int n) { auto q = p + 1; return q[3]; }", "total(h, n)"),
    ("autoaddr", "float total(float p[], int n) { auto q = &p; return (*q)[3]; }", "total(h, n)"),
    ("autoref", "float total(float p[], int n) { auto& q = p; return q[3]; }", "total(h, n)"),
    (
        "decltlate",
        "float total(float p[], int n) { decltype(p) q; q = p; return q[3]; }",
        "total(h, n)",
    ),
    (
        "declauto",
        "float total(float p[], int n) { decltype(auto) q = p; return q[3]; }",
        "total(h, n)",
    ),
    ("brace", "float total(float p[], int n) { auto q{p}; return q[3]; }", "total(h, n)"),
    (
        "cond",
        "float total(float p[], int n) { float z[4] = {1}; return (n > 3 ? p : z)[3]; }",
        "total(h, n)",
    ),
    ("elvis", "float total(float p[], float r[]) { return (p ?: r)[3]; }", "total(h, h)"),
    ("comma", "float total(float p[], int n) { return (n++, p)[3]; }", "total(h, n)"),
    ("assign", "float total(float p[], float r[]) { return (p = r)[3]; }", "total(0, h)"),
    ("stmtexpr", "float total(float p[], int n) { return ({ p; })[3]; }", "total(h, n)"),
    (
        "nested2",
        "float g(const float q[]) { return q[3]; }\nfloat total(float* p, int n) { return g(p + 1); }",
        "total(h, n)",
    ),
    (
        "lambda",
        "float total(float p[], int n) { auto f = [=] { return p[3]; }; return f(); }",
        "total(h, n)",
    ),
    (
        "lambdaref",
        "float total(float p[], int n) { auto f = [&] { return p[3]; }; return f(); }",
        "total(h, n)",
    ),
    ("lambdapar", "", "[](float p[]) { return p[3]; }(h)"),
    (
        "capcopy",
        "float total(float p[], int n) { auto f = [p] { return *(p + 1); }; return f(); }",
        "total(h, n)",
    ),
    (
        "glambda",
        "float total(float p[], int n) { auto f = [](auto q) { return q[3]; }; return f(p); }",
        "total(h, n)",
    ),
    (
        "member",
        "struct S { float s; float total(float p[]) { s = p[3]; return s; } };",
        "S().total(h)",
    ),
    ("ctor", "struct S { float* q; S(float p[]) : q(p) {} };", "S(h).q[3]"),
    ("minit", "struct S { float* a; float* b = a; S(float p[]) : a{p} {} };", "S(h).b[3]"),
    ("tmpl", "template <typename T> T total(T p[], int n) { return p[3]; }", "total(h, n)"),
    (
        "tmpl2",
        "template <typename T> float total(T p, int n) { return p[3]; }\nfloat out(float p[], int n) { return total(p, n); }",
        "out(h, n)",
    ),
    (
        "tret2",
        "template <class T> T* same(T p[]) { return p; }\nfloat total(float p[], int n) { return same(p)[3]; }",
        "total(h, n)",
    ),
    ("typedef", "typedef float vec[4];\nfloat total(vec p, int n) { return p[3]; }", "total(h, n)"),
    (
        "twodrow",
        "float total(float p[][8], int n) { float* r = p[1]; return r[3]; }",
        "total((float(*)[8])h, n)",
    ),
    (
        "twodauto",
        "float total(float p[][8], int n) { auto r = p[1]; return r[3]; }",
        "total((float(*)[8])h, n)",
    ),
    (
        "twodref",
        "float total(float p[][8], int n) { float (&r)[8] = p[1]; return r[3]; }",
        "total((float(*)[8])h, n)",
    ),
    (
        "twodrange",
        "float total(float p[][8], int n) { float s = 0; for (float x : p[1]) s += x; return s; }",
        "total((float(*)[8])h, n)",
    ),
    (
        "threed2",
        "float total(float p[][4][2]) { auto q = p[1]; auto r = q[2]; return r[1]; }",
        "total((float(*)[4][2])h)",
    ),
    ("retauto2", "auto same(float p[]) { return p + 1; }", "(*same(h))"),
    ("def", "float total(int n, float p[] = nullptr) { return p ? p[3] : 0; }", "total(n, h)"),
    (
        "struct2",
        "struct P { float* x; };\nfloat total(float p[]) { P s; s.x = p; return s.x[3]; }",
        "total(h)",
    ),
    (
        "memcpy2",
        "#include <cstring>\nfloat total(float p[]) { float x; memcpy(&x, p, 4); return x; }",
        "total(h)",
    ),
    ("cast2", "float total(float p[]) { return *(int*)(p + 1); }", "total(h)"),
    ("table", "float total(float* p[]) { return p[0][3]; }", "total(&h)"),
    (
        "swap",
        "#include <utility>\nfloat total(float p[], float r[]) { std::swap(p, r); return p[3]; }",
        "total(0, h)",
    ),
    (
        "newauto",
        "float total(float p[], int n) { auto q = new auto(p); return (*q)[3]; }",
        "total(h, n)",
    ),
    (
        "chain",
        "float total(float p[], int n) { auto q = p; auto r = q; auto s = r++; return *s; }",
        "total(h, n)",
    ),
    (
        "ternul",
        "float total(float p[], int n) { auto q = n ? p : nullptr; return q[3]; }",
        "total(h, n)",
    ),
    (
        "fori",
        "float total(float p[], int n) { float s = 0; for (auto q = p; q != p + n; ++q) s += *q; return s; }",
        "total(h, n)",
    ),
    (
        "ifinit",
        "float total(float p[], int n) { if (auto q = p) return q[3]; return 0; }",
        "total(h, n)",
    ),
    ("idxrev", "float total(float p[], int n) { return 3[p]; }", "total(h, n)"),
    ("arrref", "float total(float (&p)[4]) { return p[3]; }", "total(*(float(*)[4])h)"),
    ("arrptr", "float total(float (*p)[4]) { auto q = *p; return q[3]; }", "total((float(*)[4])h)"),
];

/// A program that reads the buffer in that way before or after what a kernel has made of it is copied back.
fn program(declarations: &str, read: &str, before: bool) -> String {
    let read = format!("  printf(\"%f\\n\", {read});\n");
    let copy = "  cudaMemcpy(h, d, bytes, cudaMemcpyDeviceToHost);\n";
    let (first, second) = if before { (&*read, copy) } else { (copy, &*read) };
    format!(
        "#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>
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
  cudaMalloc(&d, bytes);
  for (int i = 0; i < n; i++) h[i] = i;
  cudaMemcpy(d, h, bytes, cudaMemcpyHostToDevice);
  scale<<<256, 256>>>(d, n);
  cudaDeviceSynchronize();
{first}{second}  cudaFree(d);
  free(h);
}}
"
    )
}

/// The verdicts on all of them, by name.
fn verdicts(before: bool) -> Vec<(String, String)> {
    let tree = Tree::new();
    for (name, declarations, read) in WAYS {
        tree.write(&format!("{name}.cu"), program(declarations, read, before));
    }
    tree.verdicts(&[])
}

#[test]
fn an_old_value_that_is_read_through_one_is_needed() {
    let found = verdicts(true);
    assert_eq!(found.len(), WAYS.len(), "{found:?}");
    let wrong: Vec<_> = found.iter().filter(|(_, verdict)| verdict != "decline").collect();
    assert!(wrong.is_empty(), "{wrong:?}");
}

#[test]
fn what_is_read_through_one_is_known() {
    let found = verdicts(false);
    assert_eq!(found.len(), WAYS.len(), "{found:?}");
    let lost: Vec<_> = found.iter().filter(|(_, verdict)| verdict != "merge").collect();
    assert!(lost.is_empty(), "{lost:?}");
}
