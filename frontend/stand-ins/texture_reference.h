// Texture references, as before CUDA 12. The front end knows `tex1Dfetch` by name; the others are
// declared so that their use is named as such.
#pragma once
#include <gridlock_cuda.h>
#ifdef __CUDA__
enum cudaTextureReadMode { cudaReadModeElementType = 0, cudaReadModeNormalizedFloat = 1 };
template <class T, int dimensions = 1, cudaTextureReadMode mode = cudaReadModeElementType>
struct __attribute__((device_builtin_texture_type)) texture {};
template <class T> __device__ T tex1Dfetch(texture<T, 1, cudaReadModeElementType>, int);
template <class T, cudaTextureReadMode mode> __device__ T tex1D(texture<T, 1, mode>, float);
template <class T, cudaTextureReadMode mode> __device__ T tex2D(texture<T, 2, mode>, float, float);
#endif
