// Test suites include this one for everything.
#pragma once
#ifndef CUDA_VERSION
#define CUDA_VERSION 12000
#endif
#include <cuda_runtime.h>
#ifdef __CUDA__
#include <cooperative_groups.h>
#include <curand_kernel.h>
#endif
