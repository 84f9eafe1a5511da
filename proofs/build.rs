//! Tells the run-time linker where libz3 is, so that this package's tests run without
//! `LD_LIBRARY_PATH`. The library is found by `Z3_LIBRARY_PATH_OVERRIDE` (see `.cargo/config.toml`).

use std::path::Path;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=Z3_LIBRARY_PATH_OVERRIDE");
    if let Ok(folder) = std::env::var("Z3_LIBRARY_PATH_OVERRIDE") {
        let library = Path::new(&folder).join("libz3.so");
        println!("cargo::rerun-if-changed={}", library.display());
        if !library.exists() {
            println!("cargo::warning=there is no libz3.so in {folder}: run scripts/bootstrap.sh");
        }
        println!("cargo::rustc-link-arg=-Wl,-rpath,{folder}");
    }
}
