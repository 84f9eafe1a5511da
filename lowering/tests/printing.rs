//! What the printers make of programs built by hand.

mod support;

use gridlock_lowering::cuda::CudaOptions;
use gridlock_lowering::{cuda, host, opencl};

#[test]
fn show() {
    for program in [support::add_one(), support::block_sum(), support::bitonic()] {
        println!(
            "{}",
            cuda::kernels(&program, &CudaOptions::default())
                .unwrap()
                .text
        );
        println!("{}", opencl::kernels(&program).unwrap().text);
        println!("{}", host::program(&program).unwrap().text);
    }
}
