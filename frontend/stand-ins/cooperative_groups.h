// Cooperative groups: the thread block and the grid. The front end knows their members by name; the
// tiles and other groups are not declared.
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
