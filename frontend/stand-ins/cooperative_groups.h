// Cooperative groups: the thread block, the grid, tiles of a block. The front end knows their members by name;
// groups whose threads are found at run time are declared so that their use is named as such.
#pragma once
#include <gridlock_cuda.h>
namespace cooperative_groups {
struct thread_block {
  __device__ void sync() const;
  __device__ unsigned int thread_rank() const;
  __device__ unsigned int size() const;
  __device__ unsigned int num_threads() const;
  __device__ dim3 thread_index() const;
  __device__ dim3 group_index() const;
  __device__ dim3 dim_threads() const;
  __device__ dim3 group_dim() const;
};
struct grid_group {
  __device__ void sync() const;
  __device__ bool is_valid() const;
  __device__ unsigned long long thread_rank() const;
  __device__ unsigned long long size() const;
  __device__ unsigned long long num_threads() const;
  __device__ unsigned long long block_rank() const;
  __device__ unsigned long long num_blocks() const;
  __device__ dim3 block_index() const;
  __device__ dim3 dim_blocks() const;
  __device__ dim3 group_dim() const;
};
template <unsigned int N, class P = void> struct thread_block_tile;
template <unsigned int N> struct thread_block_tile<N, void> {
  __device__ void sync() const;
  __device__ unsigned int thread_rank() const;
  __device__ unsigned int size() const;
  __device__ unsigned int num_threads() const;
  __device__ unsigned int meta_group_rank() const;
  __device__ unsigned int meta_group_size() const;
  template <class T> __device__ T shfl(T, int) const;
  template <class T> __device__ T shfl_up(T, unsigned int) const;
  template <class T> __device__ T shfl_down(T, unsigned int) const;
  template <class T> __device__ T shfl_xor(T, unsigned int) const;
  __device__ int any(int) const;
  __device__ int all(int) const;
  __device__ unsigned int ballot(int) const;
  template <class T> __device__ unsigned int match_any(T) const;
};
template <unsigned int N, class P> struct thread_block_tile : thread_block_tile<N, void> {};
struct coalesced_group {
  __device__ void sync() const;
  __device__ unsigned int thread_rank() const;
  __device__ unsigned int size() const;
  __device__ unsigned int num_threads() const;
  template <class T> __device__ T shfl(T, int) const;
  template <class T> __device__ T shfl_up(T, unsigned int) const;
  template <class T> __device__ T shfl_down(T, unsigned int) const;
};
struct thread_group {
  __device__ void sync() const;
  __device__ unsigned int thread_rank() const;
  __device__ unsigned int size() const;
};
template <unsigned int N, class P> __device__ thread_block_tile<N, P> tiled_partition(const P &);
template <class P> __device__ thread_group tiled_partition(const P &, unsigned int);
__device__ coalesced_group coalesced_threads();
template <unsigned int N, class P> __device__ void sync(thread_block_tile<N, P> const &);
template <class T> struct plus {};
template <class T> struct less {};
template <class T> struct greater {};
template <class T> struct bit_and {};
template <class T> struct bit_or {};
template <class T> struct bit_xor {};
template <unsigned int N, class P, class T, class F>
__device__ T reduce(thread_block_tile<N, P> const &, T, F);
__device__ thread_block this_thread_block();
__device__ grid_group this_grid();
__device__ void sync(thread_block const &);
__device__ void sync(grid_group const &);
__device__ void synchronize(thread_block const &);
__device__ void synchronize(grid_group const &);
__device__ unsigned int thread_rank(thread_block const &);
__device__ unsigned long long thread_rank(grid_group const &);
__device__ unsigned int group_size(thread_block const &);
__device__ unsigned long long group_size(grid_group const &);
}
