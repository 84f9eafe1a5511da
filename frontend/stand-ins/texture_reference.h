// Texture references, as before CUDA 12. The front end knows `tex1Dfetch` by name; the others are
// declared so that their use is named as such.
#pragma once
#include <gridlock_cuda.h>
#ifdef __CUDA__
enum cudaTextureReadMode { cudaReadModeElementType = 0, cudaReadModeNormalizedFloat = 1 };
template <class T, int dimensions = 1, cudaTextureReadMode mode = cudaReadModeElementType>
struct __attribute__((device_builtin_texture_type)) texture {};
template <class T> __device__ T tex1Dfetch(texture<T, 1, cudaReadModeElementType>, int);
typedef unsigned long long cudaTextureObject_t;
typedef unsigned long long cudaSurfaceObject_t;
template <class T> __device__ T tex1Dfetch(cudaTextureObject_t, int);
template <class T> __device__ T tex1D(cudaTextureObject_t, float);
template <class T> __device__ T tex2D(cudaTextureObject_t, float, float);
template <class T> __device__ T tex3D(cudaTextureObject_t, float, float, float);
template <class T> __device__ T tex2DLod(cudaTextureObject_t, float, float, float);
template <class T> __device__ T tex1DLod(cudaTextureObject_t, float, float);
template <class T> __device__ T tex3DLod(cudaTextureObject_t, float, float, float, float);
template <class T> __device__ T tex1DLayered(cudaTextureObject_t, float, int);
template <class T> __device__ T tex2DLayered(cudaTextureObject_t, float, float, int);
template <class T> __device__ T texCubemap(cudaTextureObject_t, float, float, float);
template <class T> __device__ T surf2Dread(cudaSurfaceObject_t, int, int);
template <class T> __device__ void surf2Dwrite(T, cudaSurfaceObject_t, int, int);
template <class T> __device__ void surf3Dwrite(T, cudaSurfaceObject_t, int, int, int);
template <class T, cudaTextureReadMode mode> __device__ T tex1D(texture<T, 1, mode>, float);
template <class T, cudaTextureReadMode mode> __device__ T tex2D(texture<T, 2, mode>, float, float);
#endif
