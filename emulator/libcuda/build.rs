//! Gives the shared object the name that programs and `dlopen` ask for.
fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,libcuda.so.1");
    // As NVIDIA's: what it calls of its own is its own, also under a library that interposes those names.
    println!("cargo:rustc-cdylib-link-arg=-Wl,-Bsymbolic-functions");
}
