// Asynchronous copies: what the front end knows (frontend/src/device/thread_copy.rs), the primitives of a pipeline
// (`cuda_pipeline.h`), and copies by a group of threads, which one of them does, chosen by an input: which one, no one may
// know (libcu++, "cuda::memcpy_async"; CUDA C++ Programming Guide, "memcpy_async").
#pragma once
#include <gridlock_cuda.h>
#ifdef __CUDA__
// Of `valid` bytes; all ones are all of them. A tag other than 0 is that of a barrier.
template <class T, class S>
__device__ void gridlock_copy_begin(T *to, const S *from, size_t bytes, unsigned int valid, unsigned int tag);
__device__ void gridlock_copies_commit();
__device__ void gridlock_copies_wait(unsigned int prior);
__device__ void gridlock_copies_arrive(unsigned int tag);
__device__ unsigned int gridlock_choice_of_lane();
template <class T, class S> __device__ inline void __pipeline_memcpy_async(T *to, const S *from, size_t bytes) {
  gridlock_copy_begin(to, from, bytes, 0xffffffffu, 0u);
}
template <class T, class S>
__device__ inline void __pipeline_memcpy_async(T *to, const S *from, size_t bytes, size_t zeros) {
  gridlock_copy_begin(to, from, bytes, (unsigned int)(bytes - zeros), 0u);
}
__device__ inline void __pipeline_commit() { gridlock_copies_commit(); }
__device__ inline void __pipeline_wait_prior(size_t prior) { gridlock_copies_wait((unsigned int)prior); }
namespace cuda {
template <size_t N> struct aligned_size_t {
  size_t value;
  __host__ __device__ constexpr aligned_size_t(size_t bytes) : value(bytes) {}
  __host__ __device__ constexpr operator size_t() const { return value; }
};
} // namespace cuda
namespace cooperative_groups {
template <class G, class T, class S>
__device__ inline void gridlock_group_copy(const G &group, T *to, const S *from, size_t bytes, unsigned int tag) {
  if (group.thread_rank() == gridlock_choice_of_lane() % group.size())
    gridlock_copy_begin(to, from, bytes, 0xffffffffu, tag);
}
} // namespace cooperative_groups
#endif
