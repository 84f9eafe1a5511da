//! `gridlock gpu-run`: the example kernels on the GPU of this machine.
