//! Gives the shared object the name that programs and `dlopen` ask for.
fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,libecholibraries.so");
}
