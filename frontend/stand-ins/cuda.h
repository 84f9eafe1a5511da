// Test suites include this one for everything.
#pragma once
#include <cuda_runtime.h>
#ifdef __CUDA__
#include <cooperative_groups.h>
#include <curand_kernel.h>
#endif
