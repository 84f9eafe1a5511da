// What `cuda::std` has of the C++ library: the same, under another name.
#pragma once
#include <gridlock_std.h>
#ifdef __CUDA__
namespace cuda {
namespace std {
using namespace ::std;
}
}
#endif
