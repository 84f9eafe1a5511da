#pragma once
#ifdef __CUDA__
#include <gridlock_cuda.h>
#endif
#include <stddef.h>
