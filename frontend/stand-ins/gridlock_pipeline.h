// Pipelines of a single thread (libcu++, "cuda::pipeline"): stages are groups of copies, numbered as they are closed. One
// that threads share is not read.
#pragma once
#include <gridlock_barrier.h>
#include <gridlock_copy.h>
#include <gridlock_scope.h>
#ifdef __CUDA__
namespace cuda {
template <thread_scope S> class pipeline;
template <> class pipeline<thread_scope_thread> {
public:
  // Stages that were closed, and that were given up.
  unsigned int gridlock_closed;
  unsigned int gridlock_released;
  __device__ inline void producer_acquire() {}
  __device__ inline void producer_commit() {
    gridlock_copies_commit();
    gridlock_closed = gridlock_closed + 1u;
  }
  __device__ inline void consumer_wait() {
    if (gridlock_closed != gridlock_released) gridlock_copies_wait(gridlock_closed - gridlock_released - 1u);
  }
  __device__ inline void consumer_release() { gridlock_released = gridlock_released + 1u; }
};
__device__ inline pipeline<thread_scope_thread> make_pipeline() {
  pipeline<thread_scope_thread> made;
  made.gridlock_closed = 0u;
  made.gridlock_released = 0u;
  return made;
}
template <int N> __device__ inline void pipeline_consumer_wait_prior(pipeline<thread_scope_thread> &) {
  gridlock_copies_wait(N);
}
template <thread_scope S> __device__ inline void pipeline_producer_commit(pipeline<S> &by) { by.producer_commit(); }
template <class T, class N>
__device__ inline void memcpy_async(T *to, const T *from, N bytes, pipeline<thread_scope_thread> &) {
  gridlock_copy_begin(to, from, (size_t)bytes, 0xffffffffu, 0u);
}
template <class G, class T, class N>
__device__ inline void memcpy_async(const G &group, T *to, const T *from, N bytes,
                                    pipeline<thread_scope_thread> &) {
  cooperative_groups::gridlock_group_copy(group, to, from, (size_t)bytes, 0u);
}
// A pipeline that the threads of a block share, each of which produces and consumes. A stage has two barriers, full and
// empty, and each thread its own pair of named barriers for both, as it has for a barrier whose tokens are waited for: use
// k of a stage is complete at the first or the second of the pair in turn. Copies are complete when their stage is
// committed.
template <thread_scope S, int N> class pipeline_shared_state {
public:
  unsigned long long gridlock_expected[2 * N];
};
enum class pipeline_role { producer, consumer };
__device__ void gridlock_barrier_pipeline();
template <> class pipeline<thread_scope_block> {
public:
  unsigned int gridlock_number;
  unsigned int gridlock_stages;
  // Stages acquired and committed, waited for and given up.
  unsigned int gridlock_head, gridlock_tail;
  bool gridlock_acquired, gridlock_waited;
  __device__ inline unsigned int gridlock_own() {
    return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  }
  __device__ inline unsigned int gridlock_of(unsigned int use, unsigned int which) {
    return gridlock_number + use % gridlock_stages * 2u + which;
  }
  __device__ inline unsigned int gridlock_at(unsigned int use, unsigned int which, unsigned int thread) {
    return gridlock_of(use, which) * 2048u + thread * 2u + use / gridlock_stages % 2u;
  }
  __device__ inline void gridlock_arrive(unsigned int use, unsigned int which) {
    unsigned int all = blockDim.x * blockDim.y * blockDim.z, own = gridlock_own();
    for (unsigned int other = 0u; other < all; other++)
      if (other != own) gridlock_barrier_arrive(gridlock_at(use, which, other), all);
  }
  __device__ inline void gridlock_wait(unsigned int use, unsigned int which) {
    unsigned int all = blockDim.x * blockDim.y * blockDim.z;
    gridlock_barrier_sync(gridlock_at(use, which, gridlock_own()), all);
  }
  __device__ inline void producer_acquire() {
    if (gridlock_acquired) gridlock_barrier_beyond();
    gridlock_acquired = true;
    if (gridlock_head >= gridlock_stages) gridlock_wait(gridlock_head - gridlock_stages, 1u);
  }
  __device__ inline void producer_commit() {
    if (!gridlock_acquired) gridlock_barrier_beyond();
    gridlock_acquired = false;
    gridlock_copies_arrive(0x80000000u + gridlock_of(gridlock_head, 0u));
    gridlock_arrive(gridlock_head, 0u);
    gridlock_head = gridlock_head + 1u;
  }
  __device__ inline void consumer_wait() {
    if (gridlock_waited) gridlock_barrier_beyond();
    gridlock_waited = true;
    // What this thread has not committed it waits for in vain.
    if (gridlock_tail >= gridlock_head) gridlock_barrier_beyond();
    gridlock_wait(gridlock_tail, 0u);
  }
  __device__ inline void consumer_release() {
    if (!gridlock_waited) gridlock_barrier_beyond();
    gridlock_waited = false;
    gridlock_arrive(gridlock_tail, 1u);
    gridlock_tail = gridlock_tail + 1u;
  }
  __device__ inline bool quit() { return true; }
};
template <int N>
__device__ inline pipeline<thread_scope_block> make_pipeline(const cooperative_groups::thread_block &group,
                                                             pipeline_shared_state<thread_scope_block, N> *state) {
  pipeline<thread_scope_block> made;
  made.gridlock_number = gridlock_barrier_number(&state->gridlock_expected[0]);
  made.gridlock_stages = N;
  made.gridlock_head = 0u;
  made.gridlock_tail = 0u;
  made.gridlock_acquired = false;
  made.gridlock_waited = false;
  group.sync();
  return made;
}
template <class T, class N>
__device__ inline void memcpy_async(T *to, const T *from, N bytes, pipeline<thread_scope_block> &by) {
  gridlock_copy_begin(to, from, (size_t)bytes, 0xffffffffu, 0x80000000u + by.gridlock_of(by.gridlock_head, 0u));
}
template <class G, class T, class N>
__device__ inline void memcpy_async(const G &group, T *to, const T *from, N bytes, pipeline<thread_scope_block> &by) {
  cooperative_groups::gridlock_group_copy(group, to, from, (size_t)bytes,
                                          0x80000000u + by.gridlock_of(by.gridlock_head, 0u));
}
// Threads that only produce, or only consume, are not read.
template <class G, int N, class R>
__device__ inline pipeline<thread_scope_block> make_pipeline(const G &,
                                                             pipeline_shared_state<thread_scope_block, N> *, R) {
  gridlock_barrier_pipeline();
  pipeline<thread_scope_block> made;
  return made;
}
} // namespace cuda
#endif
