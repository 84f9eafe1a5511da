// Fetches from textures and accesses to surfaces, composed of accesses to arrays (CUDA C++ Programming Guide, "Texture
// Fetching" and "Surface Functions"). What a texture holds is an array, and another describes it: its extents and its
// modes. Both are inputs of the kernel, so what is said of it holds for every texture. Only files that may name one of
// these functions get this header.
#pragma once
#include <gridlock_cuda.h>
#define FETCH __device__ inline

// The cells of the array that describes a texture. Every number in them means something.
enum gridlock_cell {
  gridlock_width,
  gridlock_height,
  gridlock_depth, // or layers
  gridlock_levels,
  gridlock_filter,
  gridlock_normalised,
  gridlock_address_x,
  gridlock_address_y,
  gridlock_address_z,
  gridlock_filter_of_levels,
  gridlock_n_cells = 16
};

// The front end knows these: what a texture holds, in scalars of a type; what describes it; the cells of a surface.
template <class S> __device__ const S *gridlock_texels(cudaTextureObject_t);
template <class S, class T, int n, cudaTextureReadMode mode>
__device__ const S *gridlock_texels(const texture<T, n, mode> &);
__device__ const unsigned int *gridlock_shape(cudaTextureObject_t);
template <class T, int n, cudaTextureReadMode mode>
__device__ const unsigned int *gridlock_shape(const texture<T, n, mode> &);
template <class S> __device__ S *gridlock_cells_of(cudaSurfaceObject_t);
__device__ const unsigned int *gridlock_shape_of(cudaSurfaceObject_t);

// The extent in a direction, at some level of detail.
template <int cell> FETCH int gridlock_extent(const unsigned int *shape, int level) {
  unsigned int most = cell == gridlock_depth ? 0xffffu : 0x1ffffu;
  return max((int)((shape[cell] & most) + 1u >> (level & 15)), 1);
}

// A coordinate counted in texels, from the border before the first to that behind the last.
template <int> FETCH float gridlock_in_texels(float x, int extent, unsigned int mode, bool is_normalised) {
  bool is_mirror = mode == cudaAddressModeMirror;
  if (is_normalised && (mode == cudaAddressModeWrap || is_mirror)) {
    float period = is_mirror ? 2.0f : 1.0f;
    float rest = x - period * floorf(x * (is_mirror ? 0.5f : 1.0f));
    x = is_mirror ? 1.0f - fabsf(1.0f - rest) : rest;
  }
  return fminf(fmaxf(is_normalised ? x * extent : x, -2.0f), extent + 1.0f);
}

// The whole number not above x, which is small: by its bits, so that no conversion could be out of range.
template <int> FETCH int gridlock_floor(float x) { return __float_as_int(floorf(x) + 12582912.0f) - 0x4b400000; }

// Which texel a number means; -1 for the border.
template <int> FETCH int gridlock_addressed(int at, int extent, unsigned int mode, bool is_normalised) {
  bool is_outside = at < 0 || at >= extent;
  int last = extent - 1;
  int wrapped = at < 0 ? at + extent : at - extent;
  int moved = mode == cudaAddressModeBorder ? -1
              : mode == cudaAddressModeWrap && is_normalised ? wrapped
                                                             : min(max(at, 0), last);
  return is_outside ? moved : at;
}

// Coordinates are interleaved bit by bit, so that no two texels or cells lie in one place, whatever the extents, and
// those with small coordinates come first.
template <int> FETCH unsigned long long gridlock_every_second(unsigned long long x) {
  x = (x | x << 16u) & 0x0000ffff0000ffffull;
  x = (x | x << 8u) & 0x00ff00ff00ff00ffull;
  x = (x | x << 4u) & 0x0f0f0f0f0f0f0f0full;
  x = (x | x << 2u) & 0x3333333333333333ull;
  return (x | x << 1u) & 0x5555555555555555ull;
}
template <int> FETCH unsigned long long gridlock_every_third(unsigned long long x) {
  x = (x | x << 32u) & 0x001f00000000ffffull;
  x = (x | x << 16u) & 0x001f0000ff0000ffull;
  x = (x | x << 8u) & 0x100f00f00f00f00full;
  x = (x | x << 4u) & 0x10c30c30c30c30c3ull;
  return (x | x << 2u) & 0x1249249249249249ull;
}
// Where a texel lies in the array, in which the colour of the border comes first.
template <int> FETCH long long gridlock_place(int i, int j, int k, int level) {
  bool is_border = i < 0 || j < 0 || k < 0;
  unsigned long long x = gridlock_every_third<0>((unsigned int)i & 0x1ffffu);
  unsigned long long y = gridlock_every_third<0>((unsigned int)j & 0x1ffffu);
  unsigned long long z = gridlock_every_third<0>((unsigned int)k & 0xffffu | (unsigned int)(level & 15) << 16u);
  return is_border ? 0 : x << 1u | y << 2u | z << 3u | 1u;
}

// Weights have eight bits of fraction.
template <int> FETCH float gridlock_weight(float x) { return floorf(x * 256.0f + 0.5f) * (1.0f / 256.0f); }

// One part of what a fetch gives, from the texels of one level. Only floats are filtered: others are the nearest texel.
template <int n, class S>
FETCH S gridlock_sampled(const S *texels, int parts, const unsigned int *shape, float x, float y, float z, int layer,
                         int level) {
  bool is_normalised = shape[gridlock_normalised] & 1u;
  int extent = gridlock_extent<gridlock_width>(shape, level);
  unsigned int mode = shape[gridlock_address_x] & 3u;
  int i = gridlock_floor<0>(gridlock_in_texels<0>(x, extent, mode, is_normalised));
  i = gridlock_addressed<0>(i, extent, mode, is_normalised);
  int j = 0, k = layer;
  if (n > 1) {
    extent = gridlock_extent<gridlock_height>(shape, level);
    mode = shape[gridlock_address_y] & 3u;
    j = gridlock_floor<0>(gridlock_in_texels<0>(y, extent, mode, is_normalised));
    j = gridlock_addressed<0>(j, extent, mode, is_normalised);
  }
  if (n > 2) {
    extent = gridlock_extent<gridlock_depth>(shape, level);
    mode = shape[gridlock_address_z] & 3u;
    k = gridlock_floor<0>(gridlock_in_texels<0>(z, extent, mode, is_normalised));
    k = gridlock_addressed<0>(k, extent, mode, is_normalised);
  }
  return texels[gridlock_place<0>(i, j, k, level) * parts];
}

// The mean of two texels of a row.
template <int>
FETCH float gridlock_row(const float *texels, int parts, int i, int i1, float a, int j, int k, int level) {
  float first = texels[gridlock_place<0>(i, j, k, level) * parts];
  float second = texels[gridlock_place<0>(i1, j, k, level) * parts];
  return (1.0f - a) * first + a * second;
}

// Of floats: the nearest texel, or the mean of those around.
template <int n>
FETCH float gridlock_sampled(const float *texels, int parts, const unsigned int *shape, float x, float y, float z,
                             int layer, int level) {
  bool is_normalised = shape[gridlock_normalised] & 1u;
  bool is_linear = shape[gridlock_filter] & 1u;
  float half = is_linear ? 0.5f : 0.0f;
  int step = is_linear ? 1 : 0;
  int extent = gridlock_extent<gridlock_width>(shape, level);
  unsigned int mode = shape[gridlock_address_x] & 3u;
  float at = gridlock_in_texels<0>(x, extent, mode, is_normalised) - half;
  float a = gridlock_weight<0>(at - floorf(at));
  int below = gridlock_floor<0>(at);
  int i = gridlock_addressed<0>(below, extent, mode, is_normalised);
  int i1 = gridlock_addressed<0>(below + step, extent, mode, is_normalised);
  float b = 0.0f, c = 0.0f;
  int j = 0, j1 = 0, k = layer, k1 = layer;
  if (n > 1) {
    extent = gridlock_extent<gridlock_height>(shape, level);
    mode = shape[gridlock_address_y] & 3u;
    at = gridlock_in_texels<0>(y, extent, mode, is_normalised) - half;
    b = gridlock_weight<0>(at - floorf(at));
    below = gridlock_floor<0>(at);
    j = gridlock_addressed<0>(below, extent, mode, is_normalised);
    j1 = gridlock_addressed<0>(below + step, extent, mode, is_normalised);
  }
  if (n > 2) {
    extent = gridlock_extent<gridlock_depth>(shape, level);
    mode = shape[gridlock_address_z] & 3u;
    at = gridlock_in_texels<0>(z, extent, mode, is_normalised) - half;
    c = gridlock_weight<0>(at - floorf(at));
    below = gridlock_floor<0>(at);
    k = gridlock_addressed<0>(below, extent, mode, is_normalised);
    k1 = gridlock_addressed<0>(below + step, extent, mode, is_normalised);
  }
  if (!is_linear) return texels[gridlock_place<0>(i, j, k, level) * parts];
  float row = gridlock_row<0>(texels, parts, i, i1, a, j, k, level);
  if (n == 1) return row;
  float near = (1.0f - b) * row + b * gridlock_row<0>(texels, parts, i, i1, a, j1, k, level);
  if (n == 2) return near;
  float far = (1.0f - b) * gridlock_row<0>(texels, parts, i, i1, a, j, k1, level) +
              b * gridlock_row<0>(texels, parts, i, i1, a, j1, k1, level);
  return (1.0f - c) * near + c * far;
}

// The same, where the level is chosen.
template <int n, class S>
FETCH S gridlock_at_level(const S *texels, int parts, const unsigned int *shape, float x, float y, float z, int layer,
                          float level) {
  int last = (int)(shape[gridlock_levels] & 15u);
  level = fminf(fmaxf(level, 0.0f), (float)last);
  return gridlock_sampled<n>(texels, parts, shape, x, y, z, layer, gridlock_floor<0>(level + 0.5f));
}
template <int n>
FETCH float gridlock_at_level(const float *texels, int parts, const unsigned int *shape, float x, float y, float z,
                              int layer, float level) {
  int last = (int)(shape[gridlock_levels] & 15u);
  level = fminf(fmaxf(level, 0.0f), (float)last);
  if (shape[gridlock_filter_of_levels] & 1u) {
    int below = gridlock_floor<0>(level);
    float w = gridlock_weight<0>(level - floorf(level));
    float fine = gridlock_sampled<n>(texels, parts, shape, x, y, z, layer, below);
    float coarse = gridlock_sampled<n>(texels, parts, shape, x, y, z, layer, min(below + 1, last));
    return (1.0f - w) * fine + w * coarse;
  }
  return gridlock_sampled<n>(texels, parts, shape, x, y, z, layer, gridlock_floor<0>(level + 0.5f));
}

// A layer; one that is not there is the nearest.
template <int> FETCH int gridlock_layer(const unsigned int *shape, int layer) {
  return min(max(layer, 0), gridlock_extent<gridlock_depth>(shape, 0) - 1);
}

// The face of a cube that a direction meets, and where.
template <int> FETCH int gridlock_face(float x, float y, float z) {
  float a = fabsf(x), b = fabsf(y), c = fabsf(z);
  if (a >= b && a >= c) return x >= 0.0f ? 0 : 1;
  if (b >= c) return y >= 0.0f ? 2 : 3;
  return z >= 0.0f ? 4 : 5;
}
template <int> FETCH float gridlock_along(float s, float x, float y, float z) {
  return (s / fmaxf(fmaxf(fabsf(x), fabsf(y)), fabsf(z)) + 1.0f) * 0.5f;
}
template <int> FETCH float gridlock_face_x(float x, float y, float z) {
  int face = gridlock_face<0>(x, y, z);
  return gridlock_along<0>(face == 0 ? -z : face == 1 ? z : face == 5 ? -x : x, x, y, z);
}
template <int> FETCH float gridlock_face_y(float x, float y, float z) {
  int face = gridlock_face<0>(x, y, z);
  return gridlock_along<0>(face == 2 ? z : face == 3 ? -z : -y, x, y, z);
}

template <int n> FETCH long long gridlock_cell_at(int x, int y, int z) {
  if (n == 1) return (unsigned int)x & 0x3fffffffu;
  if (n == 2)
    return gridlock_every_second<0>((unsigned int)x & 0x3fffffffu) |
           gridlock_every_second<0>((unsigned int)y & 0x3fffffffu) << 1u;
  return gridlock_every_third<0>((unsigned int)x & 0xfffffu) |
         gridlock_every_third<0>((unsigned int)y & 0xfffffu) << 1u |
         gridlock_every_third<0>((unsigned int)z & 0xfffffu) << 2u;
}
template <int n> FETCH bool gridlock_is_on_some(int x, int y, int z) {
  int most = n == 3 ? 0xfffff : 0x3fffffff;
  return 0 <= x && x <= most && 0 <= y && y <= most && 0 <= z && z <= most;
}
template <int n> FETCH bool gridlock_is_on(const unsigned int *shape, int x, int y, int z) {
  return 0 <= x && x < gridlock_extent<gridlock_width>(shape, 0) && 0 <= y &&
         (n < 2 || y < gridlock_extent<gridlock_height>(shape, 0)) && 0 <= z &&
         (n < 3 || z < gridlock_extent<gridlock_depth>(shape, 0));
}
template <int cell> FETCH int gridlock_clamped(const unsigned int *shape, int x, cudaSurfaceBoundaryMode mode) {
  return mode == cudaBoundaryModeClamp ? min(max(x, 0), gridlock_extent<cell>(shape, 0) - 1) : x;
}

// The scalars that a type is made of.
template <class T, class = void> struct gridlock_element {
  typedef T S;
  static constexpr bool is_vector = false;
};
template <class T> struct gridlock_element<T, decltype((void)((T *)0)->x)> {
  typedef decltype(T::x) S;
  static constexpr bool is_vector = true;
};
template <class T> using gridlock_scalar = typename gridlock_element<T>::S;

// What a fetch gives, part by part.
template <class T, int n, class S, int parts = sizeof(T) / sizeof(S)>
FETCH T gridlock_sample(const S *texels, const unsigned int *shape, float x, float y, float z, int layer) {
  if constexpr (!gridlock_element<T>::is_vector) {
    return gridlock_sampled<n>(texels, 1, shape, x, y, z, layer, 0);
  } else {
    T value = {};
    value.x = gridlock_sampled<n>(texels, parts, shape, x, y, z, layer, 0);
    if constexpr (parts > 1) value.y = gridlock_sampled<n>(texels + 1, parts, shape, x, y, z, layer, 0);
    if constexpr (parts > 2) value.z = gridlock_sampled<n>(texels + 2, parts, shape, x, y, z, layer, 0);
    if constexpr (parts > 3) value.w = gridlock_sampled<n>(texels + 3, parts, shape, x, y, z, layer, 0);
    return value;
  }
}
template <class T, int n, class S, int parts = sizeof(T) / sizeof(S)>
FETCH T gridlock_sample_at(const S *texels, const unsigned int *shape, float x, float y, float z,
                           int layer, float level) {
  if constexpr (!gridlock_element<T>::is_vector) {
    return gridlock_at_level<n>(texels, 1, shape, x, y, z, layer, level);
  } else {
    T value = {};
    value.x = gridlock_at_level<n>(texels, parts, shape, x, y, z, layer, level);
    if constexpr (parts > 1) value.y = gridlock_at_level<n>(texels + 1, parts, shape, x, y, z, layer, level);
    if constexpr (parts > 2) value.z = gridlock_at_level<n>(texels + 2, parts, shape, x, y, z, layer, level);
    if constexpr (parts > 3) value.w = gridlock_at_level<n>(texels + 3, parts, shape, x, y, z, layer, level);
    return value;
  }
}
// Without addressing: an element before the first is 0.
template <class S> FETCH S gridlock_listed(const S *texels, long long at, int count) {
  return at < 0 ? (S)0 : texels[at * count];
}
template <class T, class S, int parts = sizeof(T) / sizeof(S)>
FETCH T gridlock_fetch(const S *texels, int at) {
  if constexpr (!gridlock_element<T>::is_vector) {
    return gridlock_listed(texels, at, 1);
  } else {
    T value = {};
    value.x = gridlock_listed(texels, at, parts);
    if constexpr (parts > 1) value.y = gridlock_listed(texels + 1, at, parts);
    if constexpr (parts > 2) value.z = gridlock_listed(texels + 2, at, parts);
    if constexpr (parts > 3) value.w = gridlock_listed(texels + 3, at, parts);
    return value;
  }
}

// The functions of textures. Of a reference whose elements are read as numbers from 0 to 1 the array holds these.
#define GRIDLOCK_TEXTURE(name, kind, given, sample, ...)                                                               \
  template <class T> FETCH T name(cudaTextureObject_t of, GRIDLOCK_LIST given) {                                       \
    return GRIDLOCK_LIST sample(gridlock_texels<gridlock_scalar<T>>(of), __VA_ARGS__);                                 \
  }                                                                                                                    \
  template <class E, cudaTextureReadMode mode, class T = typename gridlock_texel<E, mode>::type>                       \
  FETCH T name(const texture<E, kind, mode> &of, GRIDLOCK_LIST given) {                                                \
    return GRIDLOCK_LIST sample(gridlock_texels<gridlock_scalar<T>>(of), __VA_ARGS__);                                 \
  }
#define GRIDLOCK_LIST(...) __VA_ARGS__
#define GRIDLOCK_LAYER gridlock_layer<0>(gridlock_shape(of), layer)
#define GRIDLOCK_CUBE gridlock_face_x<0>(x, y, z), gridlock_face_y<0>(x, y, z), 0.0f, gridlock_face<0>(x, y, z)
GRIDLOCK_TEXTURE(tex1Dfetch, 1, (int x), (gridlock_fetch<T>), x)
GRIDLOCK_TEXTURE(tex1D, 1, (float x), (gridlock_sample<T, 1>), gridlock_shape(of), x, 0.0f, 0.0f, 0)
GRIDLOCK_TEXTURE(tex2D, 2, (float x, float y), (gridlock_sample<T, 2>), gridlock_shape(of), x, y, 0.0f, 0)
GRIDLOCK_TEXTURE(tex3D, 3, (float x, float y, float z), (gridlock_sample<T, 3>), gridlock_shape(of), x, y, z, 0)
GRIDLOCK_TEXTURE(tex1DLod, 1, (float x, float level), (gridlock_sample_at<T, 1>), gridlock_shape(of), x, 0.0f, 0.0f, 0,
                 level)
GRIDLOCK_TEXTURE(tex2DLod, 2, (float x, float y, float level), (gridlock_sample_at<T, 2>), gridlock_shape(of), x, y,
                 0.0f, 0, level)
GRIDLOCK_TEXTURE(tex3DLod, 3, (float x, float y, float z, float level), (gridlock_sample_at<T, 3>), gridlock_shape(of),
                 x, y, z, 0, level)
GRIDLOCK_TEXTURE(tex1DLayered, cudaTextureType1DLayered, (float x, int layer), (gridlock_sample<T, 1>),
                 gridlock_shape(of), x, 0.0f, 0.0f, GRIDLOCK_LAYER)
GRIDLOCK_TEXTURE(tex2DLayered, cudaTextureType2DLayered, (float x, float y, int layer), (gridlock_sample<T, 2>),
                 gridlock_shape(of), x, y, 0.0f, GRIDLOCK_LAYER)
GRIDLOCK_TEXTURE(texCubemap, cudaTextureTypeCubemap, (float x, float y, float z), (gridlock_sample<T, 2>),
                 gridlock_shape(of), GRIDLOCK_CUBE)

// Coordinates of a surface: x counts bytes. Where an access outside ends the kernel (`cudaBoundaryModeTrap`), and no
// extents are known, accesses are taken to lie inside.
#define GRIDLOCK_PLACED                                                                                                \
  gridlock_assert__((x & (int)sizeof(T) - 1) == 0);                                                                    \
  x = gridlock_clamped<gridlock_width>(gridlock_shape_of(of), x / (int)sizeof(T), mode);                               \
  if (n > 1) y = gridlock_clamped<gridlock_height>(gridlock_shape_of(of), y, mode);                                    \
  if (n > 2) z = gridlock_clamped<gridlock_depth>(gridlock_shape_of(of), z, mode);                                     \
  bool is_in = mode != cudaBoundaryModeZero || gridlock_is_on<n>(gridlock_shape_of(of), x, y, z);                      \
  if (is_in) gridlock_assume__(gridlock_is_on_some<n>(x, y, z));                                                       \
  S *cells = gridlock_cells_of<S>(of);                                                                                 \
  long long at = gridlock_cell_at<n>(x, y, z);
template <class T, int n, class S, int parts = sizeof(T) / sizeof(S)>
FETCH T gridlock_read(cudaSurfaceObject_t of, int x, int y, int z, cudaSurfaceBoundaryMode mode) {
  GRIDLOCK_PLACED
  if constexpr (!gridlock_element<T>::is_vector) {
    return is_in ? cells[at] : (T)0;
  } else {
    T value = {};
    if (is_in) {
      value.x = cells[at * parts];
      if constexpr (parts > 1) value.y = cells[at * parts + 1];
      if constexpr (parts > 2) value.z = cells[at * parts + 2];
      if constexpr (parts > 3) value.w = cells[at * parts + 3];
    }
    return value;
  }
}
template <class T, int n, class S, int parts = sizeof(T) / sizeof(S)>
FETCH void gridlock_write(T value, cudaSurfaceObject_t of, int x, int y, int z, cudaSurfaceBoundaryMode mode) {
  GRIDLOCK_PLACED
  if (is_in) {
    if constexpr (!gridlock_element<T>::is_vector) {
      cells[at] = value;
    } else {
      cells[at * parts] = value.x;
      if constexpr (parts > 1) cells[at * parts + 1] = value.y;
      if constexpr (parts > 2) cells[at * parts + 2] = value.z;
      if constexpr (parts > 3) cells[at * parts + 3] = value.w;
    }
  }
}
#define GRIDLOCK_SURFACE(read, write, n, given, ...)                                                                   \
  template <class T>                                                                                                   \
  FETCH T read(cudaSurfaceObject_t of, GRIDLOCK_LIST given, cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {     \
    return gridlock_read<T, n, gridlock_scalar<T>>(of, __VA_ARGS__, mode);                                             \
  }                                                                                                                    \
  template <class T>                                                                                                   \
  FETCH void read(T *to, cudaSurfaceObject_t of, GRIDLOCK_LIST given,                                                  \
                  cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                                               \
    *to = gridlock_read<T, n, gridlock_scalar<T>>(of, __VA_ARGS__, mode);                                              \
  }                                                                                                                    \
  template <class T>                                                                                                   \
  FETCH void write(T value, cudaSurfaceObject_t of, GRIDLOCK_LIST given,                                               \
                   cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                                              \
    gridlock_write<T, n, gridlock_scalar<T>>(value, of, __VA_ARGS__, mode);                                            \
  }
GRIDLOCK_SURFACE(surf1Dread, surf1Dwrite, 1, (int x), x, 0, 0)
GRIDLOCK_SURFACE(surf2Dread, surf2Dwrite, 2, (int x, int y), x, y, 0)
GRIDLOCK_SURFACE(surf3Dread, surf3Dwrite, 3, (int x, int y, int z), x, y, z)
GRIDLOCK_SURFACE(surf1DLayeredread, surf1DLayeredwrite, 3, (int x, int layer), x, 0, layer)
GRIDLOCK_SURFACE(surf2DLayeredread, surf2DLayeredwrite, 3, (int x, int y, int layer), x, y, layer)
