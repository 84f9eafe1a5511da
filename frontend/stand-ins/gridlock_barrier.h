// Barriers in shared memory (libcu++, "cuda::barrier"): a number of threads, which `init` stores, meet. What arrives and
// waits at once, and what only arrives, are those of a named barrier of the block, which the front end numbers by the place
// of the object (frontend/src/device/barrier_object.rs, which says what a wait for a token is).
#pragma once
#include <cooperative_groups.h>
#include <gridlock_copy.h>
#include <gridlock_scope.h>
#include <gridlock_std.h>
#ifdef __CUDA__
// The number of a barrier, which is also the tag of the copies that belong to it.
template <class B> __device__ unsigned int gridlock_barrier_number(B *of);
__device__ void gridlock_barrier_sync(unsigned int number, unsigned int threads);
__device__ void gridlock_barrier_arrive(unsigned int number, unsigned int threads);
// Where this thread stands at a barrier; whether the program waits for tokens anywhere; what is not modelled.
template <class B> __device__ unsigned int *gridlock_barrier_turn(B *of);
__device__ bool gridlock_barrier_is_split();
__device__ void gridlock_barrier_beyond();
// What is not read.
__device__ void gridlock_barrier_drop();
namespace cuda {
template <thread_scope S, class F = void> class barrier;
template <class F> class barrier<thread_scope_block, F> {
public:
  unsigned long long gridlock_expected;
  struct arrival_token {
    unsigned int gridlock_turn;
    // Of one value alone the front end makes no object.
    unsigned int gridlock_unused;
  };
  static constexpr long max() { return 1048575; }
  __device__ inline void arrive_and_wait() {
    if (gridlock_barrier_is_split())
      gridlock_wait(gridlock_arrive());
    else {
      gridlock_copies_arrive(0x80000000u + gridlock_barrier_number(&gridlock_expected));
      gridlock_barrier_sync(gridlock_barrier_number(&gridlock_expected), (unsigned int)gridlock_expected);
    }
  }
  __device__ inline arrival_token arrive(long times = 1) {
    arrival_token token;
    token.gridlock_turn = 0u;
    token.gridlock_unused = 0u;
    if (gridlock_barrier_is_split()) {
      if (times != 1) gridlock_barrier_beyond();
      token.gridlock_turn = gridlock_arrive();
    } else {
      gridlock_copies_arrive(0x80000000u + gridlock_barrier_number(&gridlock_expected));
      for (long i = 0; i < times; i++)
        gridlock_barrier_arrive(gridlock_barrier_number(&gridlock_expected), (unsigned int)gridlock_expected);
    }
    return token;
  }
  __device__ inline void wait(arrival_token token) { gridlock_wait(token.gridlock_turn); }
  // A thread stands at its first or its second barrier (0, 1), and has arrived and not waited yet (2 more).
  __device__ inline unsigned int gridlock_arrive() {
    gridlock_copies_arrive(0x80000000u + gridlock_barrier_number(&gridlock_expected));
    unsigned int all = blockDim.x * blockDim.y * blockDim.z;
    unsigned int own = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    unsigned int expected = (unsigned int)gridlock_expected;
    unsigned int turn = *gridlock_barrier_turn(&gridlock_expected);
    if (expected != all || turn > 1u) gridlock_barrier_beyond();
    for (unsigned int other = 0u; other < all; other++)
      if (other != own)
        gridlock_barrier_arrive(gridlock_barrier_number(&gridlock_expected) * 2048u + other * 2u + turn, expected);
    *gridlock_barrier_turn(&gridlock_expected) = turn + 2u;
    return turn;
  }
  __device__ inline void gridlock_wait(unsigned int turn) {
    unsigned int own = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    if (*gridlock_barrier_turn(&gridlock_expected) != turn + 2u) gridlock_barrier_beyond();
    *gridlock_barrier_turn(&gridlock_expected) = 1u - turn;
    gridlock_barrier_sync(gridlock_barrier_number(&gridlock_expected) * 2048u + own * 2u + turn,
                          (unsigned int)gridlock_expected);
  }
  __device__ inline void arrive_and_drop() { gridlock_barrier_drop(); }
  friend __device__ inline void init(barrier *of, long expected) {
    gridlock_in_place();
    of->gridlock_expected = (unsigned long long)expected;
  }
};
template <class T, class N, class F>
__device__ inline void memcpy_async(T *to, const T *from, N bytes, barrier<thread_scope_block, F> &by) {
  gridlock_copy_begin(to, from, (size_t)bytes, 0xffffffffu, 0x80000000u + gridlock_barrier_number(&by.gridlock_expected));
}
template <class G, class T, class N, class F>
__device__ inline void memcpy_async(const G &group, T *to, const T *from, N bytes,
                                    barrier<thread_scope_block, F> &by) {
  cooperative_groups::gridlock_group_copy(group, to, from, (size_t)bytes, 0x80000000u + gridlock_barrier_number(&by.gridlock_expected));
}
namespace std {
using namespace ::std;
template <class F = void> using barrier = ::cuda::barrier<thread_scope_block, F>;
} // namespace std
} // namespace cuda
#endif
