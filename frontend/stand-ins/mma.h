// Matrices held by warps (CUDA C++ Programming Guide, "Warp Matrix Functions"). Which lane holds which elements, and in
// which order a sum is made, no one may know. Here every lane holds all elements of a fragment, so that what all lanes do
// to each element alike gives the same; each reads what the warp loads; and one lane, chosen by an input, stores. Lanes
// wait for one another, which orders no memory.
#pragma once
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <gridlock_cuda.h>
#ifdef __CUDA__
// The front end knows these: a number that is one for all threads, another one at each call; an assumption; and that
// the accesses of a function have the place of its call.
__device__ unsigned int gridlock_choice_of_lane();
__device__ void gridlock_sums_in_order();
__device__ void gridlock_in_place();
namespace wmma {
struct row_major;
struct col_major;
struct matrix_a;
struct matrix_b;
struct accumulator;
enum layout_t { mem_row_major, mem_col_major };
namespace precision {
struct tf32;
} // namespace precision
template <class Use, int m, int n, int k> struct gridlock_extents;
template <int m, int n, int k> struct gridlock_extents<matrix_a, m, n, k> { enum { rows = m, columns = k }; };
template <int m, int n, int k> struct gridlock_extents<matrix_b, m, n, k> { enum { rows = k, columns = n }; };
template <int m, int n, int k> struct gridlock_extents<accumulator, m, n, k> { enum { rows = m, columns = n }; };
template <class Use, int m, int n, int k, class T, class Layout = void> struct fragment {
  enum {
    rows = gridlock_extents<Use, m, n, k>::rows,
    columns = gridlock_extents<Use, m, n, k>::columns,
    num_elements = rows * columns
  };
  T x[num_elements];
};
template <class Use, int m, int n, int k, class Layout> struct fragment<Use, m, n, k, precision::tf32, Layout> {
  enum {
    rows = gridlock_extents<Use, m, n, k>::rows,
    columns = gridlock_extents<Use, m, n, k>::columns,
    num_elements = rows * columns
  };
  float x[num_elements];
};

template <int rows, int columns, class S, class T>
__device__ inline void gridlock_load(S *x, const T *from, unsigned int stride, bool by_rows) {
  gridlock_in_place();
  __all_sync(0xffffffffu, 1);
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < columns; j++) x[i * columns + j] = by_rows ? from[i * stride + j] : from[j * stride + i];
}
template <class U, int m, int n, int k, class S, class T>
__device__ inline void load_matrix_sync(fragment<U, m, n, k, S, row_major> &to, const T *from, unsigned int stride) {
  gridlock_load<gridlock_extents<U, m, n, k>::rows, gridlock_extents<U, m, n, k>::columns>(to.x, from, stride, true);
}
template <class U, int m, int n, int k, class S, class T>
__device__ inline void load_matrix_sync(fragment<U, m, n, k, S, col_major> &to, const T *from, unsigned int stride) {
  gridlock_load<gridlock_extents<U, m, n, k>::rows, gridlock_extents<U, m, n, k>::columns>(to.x, from, stride, false);
}
template <int m, int n, int k, class S, class T>
__device__ inline void load_matrix_sync(fragment<accumulator, m, n, k, S> &to, const T *from, unsigned int stride,
                                        layout_t layout) {
  gridlock_load<m, n>(to.x, from, stride, layout == mem_row_major);
}

template <int rows, int columns, class S, class T>
__device__ inline void gridlock_store(T *to, const S *x, unsigned int stride, bool by_rows) {
  __all_sync(0xffffffffu, 1);
  unsigned int thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  if (((thread ^ gridlock_choice_of_lane()) & 31u) == 0)
    for (int i = 0; i < rows; i++)
      for (int j = 0; j < columns; j++) to[by_rows ? i * stride + j : j * stride + i] = x[i * columns + j];
}
template <int m, int n, int k, class S, class T>
__device__ inline void store_matrix_sync(T *to, const fragment<accumulator, m, n, k, S> &from, unsigned int stride,
                                         layout_t layout) {
  gridlock_store<m, n>(to, from.x, stride, layout == mem_row_major);
}

template <class F, class V> __device__ inline void fill_fragment(F &to, V value) {
  for (int t = 0; t < F::num_elements; t++) to.x[t] = value;
}

template <int m, int n, int k, class D, class A, class B, class C>
__device__ inline void gridlock_multiply(D *d, const A *a, const B *b, const C *c) {
  __all_sync(0xffffffffu, 1);
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      C sum = c[i * n + j];
      for (int l = 0; l < k; l++) sum = sum + (C)a[i * k + l] * (C)b[l * n + j];
      d[i * n + j] = sum;
    }
}
template <int m, int n, int k, class D, class A, class LA, class B, class LB, class C>
__device__ inline void mma_sync(fragment<accumulator, m, n, k, D> &d, const fragment<matrix_a, m, n, k, A, LA> &a,
                                const fragment<matrix_b, m, n, k, B, LB> &b,
                                const fragment<accumulator, m, n, k, C> &c) {
  gridlock_sums_in_order();
  gridlock_multiply<m, n, k>(d.x, a.x, b.x, c.x);
}
__device__ inline float __float_to_tf32(float x) {
  return __uint_as_float(__float_as_uint(x) + 0x1000u & 0xffffe000u);
}
} // namespace wmma
// Programs write `using namespace nvcuda`, and clang prints the names of types as they are written.
namespace nvcuda {
namespace wmma = ::wmma;
} // namespace nvcuda
#endif
