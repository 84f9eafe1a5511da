// The types of textures and surfaces: references, as before CUDA 12, and objects. gridlock_texture.h has the functions.
#pragma once
#include <gridlock_cuda.h>
#ifdef __CUDA__
#define cudaTextureType1D 0x01
#define cudaTextureType2D 0x02
#define cudaTextureType3D 0x03
#define cudaTextureTypeCubemap 0x0C
#define cudaTextureType1DLayered 0xF1
#define cudaTextureType2DLayered 0xF2
#define cudaSurfaceType2D 0x02
#define cudaSurfaceType3D 0x03
enum cudaTextureReadMode { cudaReadModeElementType = 0, cudaReadModeNormalizedFloat = 1 };
enum cudaTextureAddressMode {
  cudaAddressModeWrap = 0,
  cudaAddressModeClamp = 1,
  cudaAddressModeMirror = 2,
  cudaAddressModeBorder = 3
};
enum cudaTextureFilterMode { cudaFilterModePoint = 0, cudaFilterModeLinear = 1 };
enum cudaSurfaceBoundaryMode { cudaBoundaryModeZero = 0, cudaBoundaryModeClamp = 1, cudaBoundaryModeTrap = 2 };
enum cudaChannelFormatKind {
  cudaChannelFormatKindSigned = 0,
  cudaChannelFormatKindUnsigned = 1,
  cudaChannelFormatKindFloat = 2,
  cudaChannelFormatKindNone = 3
};
struct cudaChannelFormatDesc {
  int x, y, z, w;
  enum cudaChannelFormatKind f;
};
struct cudaExtent {
  size_t width, height, depth;
};
struct cudaPos {
  size_t x, y, z;
};
struct cudaPitchedPtr {
  void *ptr;
  size_t pitch, xsize, ysize;
};
typedef struct cudaArray *cudaArray_t;
typedef const struct cudaArray *cudaArray_const_t;
typedef struct cudaMipmappedArray *cudaMipmappedArray_t;
typedef struct cudaGraphicsResource *cudaGraphicsResource_t;
typedef struct CUgraph_st *cudaGraph_t;
typedef struct CUgraphExec_st *cudaGraphExec_t;
typedef struct CUgraphNode_st *cudaGraphNode_t;
typedef struct CUmemPoolHandle_st *cudaMemPool_t;
struct cudaResourceDesc;
struct cudaTextureDesc;
struct cudaMemcpy3DParms;
struct cudaPointerAttributes;
template <class T> struct gridlock_normalized;
#define GRIDLOCK_NORMALIZED(T, V)                                                                                   \
  template <> struct gridlock_normalized<T> { typedef float type; };                                               \
  template <> struct gridlock_normalized<V##1> { typedef float1 type; };                                           \
  template <> struct gridlock_normalized<V##2> { typedef float2 type; };                                           \
  template <> struct gridlock_normalized<V##4> { typedef float4 type; };
GRIDLOCK_NORMALIZED(signed char, char)
GRIDLOCK_NORMALIZED(unsigned char, uchar)
GRIDLOCK_NORMALIZED(short, short)
GRIDLOCK_NORMALIZED(unsigned short, ushort)
#undef GRIDLOCK_NORMALIZED
template <> struct gridlock_normalized<char> { typedef float type; };
template <class T, cudaTextureReadMode mode> struct gridlock_texel { typedef T type; };
template <class T> struct gridlock_texel<T, cudaReadModeNormalizedFloat> {
  typedef typename gridlock_normalized<T>::type type;
};
template <class T, int dimensions = 1, cudaTextureReadMode mode = cudaReadModeElementType>
struct __attribute__((device_builtin_texture_type)) texture {};
typedef unsigned long long cudaTextureObject_t;
typedef unsigned long long cudaSurfaceObject_t;
typedef cudaTextureObject_t CUtexObject;
typedef cudaSurfaceObject_t CUsurfObject;
template <class T> __device__ T tex2Dgather(cudaTextureObject_t, float, float, int = 0);
#endif
