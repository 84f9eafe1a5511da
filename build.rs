//! Tells the run-time linker where libz3 is, so that the binary and the tests run without
//! `LD_LIBRARY_PATH`. The library is found by `Z3_LIBRARY_PATH_OVERRIDE` (see `.cargo/config.toml`).

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=Z3_LIBRARY_PATH_OVERRIDE");
    // Where an installed command has it: the wheel of `python/` puts it there (`scripts/wheel.sh`).
    println!("cargo::rustc-link-arg=-Wl,-rpath,$ORIGIN/../lib/gridlock");
    if let Ok(folder) = std::env::var("Z3_LIBRARY_PATH_OVERRIDE") {
        println!("cargo::rustc-link-arg=-Wl,-rpath,{folder}");
        // For `target/<profile>/gridlock` when the whole tree has been copied elsewhere.
        println!("cargo::rustc-link-arg=-Wl,-rpath,$ORIGIN/../../.toolchain/z3/lib");
    }
}
