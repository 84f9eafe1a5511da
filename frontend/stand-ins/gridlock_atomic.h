// Atomic objects (libcu++, "cuda::atomic", "cuda::atomic_ref"), composed of CUDA's atomic functions and fences: a load is
// an addition of nothing. An order stronger than relaxed is a fence before, behind, or both.
#pragma once
#include <gridlock_cuda.h>
#include <gridlock_std.h>
#ifdef __CUDA__
#include <gridlock_scope.h>
// What is not modelled: a run that gets there decides nothing. A store breaks the chain of read-modify-writes that a
// release begins, and an exchange continues it, so an exchange is no model of a store.
__device__ void gridlock_barrier_beyond();
namespace cuda {
enum memory_order {
  memory_order_relaxed,
  memory_order_consume,
  memory_order_acquire,
  memory_order_release,
  memory_order_acq_rel,
  memory_order_seq_cst
};
inline constexpr bool gridlock_releases(memory_order order) { return order >= memory_order_release; }
inline constexpr bool gridlock_acquires(memory_order order) {
  return order == memory_order_acquire || order == memory_order_consume || order >= memory_order_acq_rel;
}
template <thread_scope S> struct gridlock_scoped;
#define GRIDLOCK_SCOPED(S, suffix, fences)                                                                         \
  template <> struct gridlock_scoped<S> {                                                                          \
    static __device__ inline void fence() { gridlock_in_place(); fences(); }                                                            \
    template <class T> static __device__ inline T exchange(T *at, T x) { gridlock_in_place(); return atomicExch##suffix(at, x); }       \
    template <class T> static __device__ inline T add(T *at, T x) { gridlock_in_place(); return atomicAdd##suffix(at, x); }             \
    template <class T> static __device__ inline T sub(T *at, T x) { gridlock_in_place(); return atomicSub##suffix(at, x); }             \
    template <class T> static __device__ inline T both(T *at, T x) { gridlock_in_place(); return atomicAnd##suffix(at, x); }            \
    template <class T> static __device__ inline T either(T *at, T x) { gridlock_in_place(); return atomicOr##suffix(at, x); }           \
    template <class T> static __device__ inline T one(T *at, T x) { gridlock_in_place(); return atomicXor##suffix(at, x); }             \
    template <class T> static __device__ inline T least(T *at, T x) { gridlock_in_place(); return atomicMin##suffix(at, x); }           \
    template <class T> static __device__ inline T most(T *at, T x) { gridlock_in_place(); return atomicMax##suffix(at, x); }            \
    template <class T> static __device__ inline T swap(T *at, T old, T x) { gridlock_in_place(); return atomicCAS##suffix(at, old, x); } \
  };
GRIDLOCK_SCOPED(thread_scope_system, _system, __threadfence_system)
GRIDLOCK_SCOPED(thread_scope_device, , __threadfence)
GRIDLOCK_SCOPED(thread_scope_block, _block, __threadfence_block)
#undef GRIDLOCK_SCOPED
// What one thread alone uses is no atomic for others.
template <> struct gridlock_scoped<thread_scope_thread> {
  static __device__ inline void fence() {}
#define GRIDLOCK_PLAIN(name, value)                                                                                \
  template <class T> static __device__ inline T name(T *at, T x) {                                                 \
    gridlock_in_place();                                                                                           \
    T old = *at;                                                                                                   \
    *at = value;                                                                                                   \
    return old;                                                                                                    \
  }
  GRIDLOCK_PLAIN(exchange, x)
  GRIDLOCK_PLAIN(add, old + x)
  GRIDLOCK_PLAIN(sub, old - x)
  GRIDLOCK_PLAIN(both, old & x)
  GRIDLOCK_PLAIN(either, old | x)
  GRIDLOCK_PLAIN(one, old ^ x)
  GRIDLOCK_PLAIN(least, x < old ? x : old)
  GRIDLOCK_PLAIN(most, old < x ? x : old)
#undef GRIDLOCK_PLAIN
  template <class T> static __device__ inline T swap(T *at, T wanted, T x) {
    gridlock_in_place();
    T old = *at;
    if (old == wanted) *at = x;
    return old;
  }
};
inline __device__ void atomic_thread_fence(memory_order order, thread_scope scope = thread_scope_system) {
  if (order != memory_order_relaxed) {
    if (scope == thread_scope_block) __threadfence_block();
    if (scope == thread_scope_device) __threadfence();
    if (scope == thread_scope_system) __threadfence_system();
  }
}
#define GRIDLOCK_FETCH(name, how)                                                                                  \
  __device__ inline T name(T x, memory_order order = memory_order_seq_cst) const {                                 \
    if (gridlock_releases(order)) gridlock_scoped<S>::fence();                                                     \
    T old = gridlock_scoped<S>::how(gridlock_at(), x);                                                             \
    if (gridlock_acquires(order)) gridlock_scoped<S>::fence();                                                     \
    return old;                                                                                                    \
  }
#define GRIDLOCK_MEMBERS                                                                                           \
  GRIDLOCK_FETCH(exchange, exchange)                                                                               \
  GRIDLOCK_FETCH(fetch_add, add)                                                                                   \
  GRIDLOCK_FETCH(fetch_sub, sub)                                                                                   \
  GRIDLOCK_FETCH(fetch_and, both)                                                                                  \
  GRIDLOCK_FETCH(fetch_or, either)                                                                                 \
  GRIDLOCK_FETCH(fetch_xor, one)                                                                                   \
  GRIDLOCK_FETCH(fetch_min, least)                                                                                 \
  GRIDLOCK_FETCH(fetch_max, most)                                                                                  \
  __device__ inline T load(memory_order order = memory_order_seq_cst) const {                                      \
    if (order == memory_order_seq_cst) gridlock_scoped<S>::fence();                                                \
    T now = gridlock_scoped<S>::add(gridlock_at(), (T)0);                                                          \
    if (gridlock_acquires(order)) gridlock_scoped<S>::fence();                                                     \
    return now;                                                                                                    \
  }                                                                                                                \
  __device__ inline void store(T x, memory_order order = memory_order_seq_cst) const {                             \
    if (gridlock_releases(order)) gridlock_scoped<S>::fence();                                                     \
    gridlock_barrier_beyond();                                                                                     \
    gridlock_scoped<S>::exchange(gridlock_at(), x);                                                                \
    if (order == memory_order_seq_cst) gridlock_scoped<S>::fence();                                                \
  }                                                                                                                \
  __device__ inline bool compare_exchange_strong(T &wanted, T x, memory_order order,                               \
                                                 memory_order failing) const {                                     \
    if (gridlock_releases(order) || failing == memory_order_seq_cst) gridlock_scoped<S>::fence();                  \
    T old = gridlock_scoped<S>::swap(gridlock_at(), wanted, x);                                                    \
    if (gridlock_acquires(order) && old == wanted || gridlock_acquires(failing) && old != wanted)                  \
      gridlock_scoped<S>::fence();                                                                                 \
    bool is_done = old == wanted;                                                                                  \
    wanted = old;                                                                                                  \
    return is_done;                                                                                                \
  }                                                                                                                \
  __device__ inline bool compare_exchange_strong(T &wanted, T x,                                                   \
                                                 memory_order order = memory_order_seq_cst) const {                \
    if (gridlock_releases(order)) gridlock_scoped<S>::fence();                                                     \
    T old = gridlock_scoped<S>::swap(gridlock_at(), wanted, x);                                                    \
    if (gridlock_acquires(order)) gridlock_scoped<S>::fence();                                                     \
    bool is_done = old == wanted;                                                                                  \
    wanted = old;                                                                                                  \
    return is_done;                                                                                                \
  }                                                                                                                \
  __device__ inline bool compare_exchange_weak(T &wanted, T x, memory_order order, memory_order failing) const {   \
    return compare_exchange_strong(wanted, x, order, failing);                                                     \
  }                                                                                                                \
  __device__ inline bool compare_exchange_weak(T &wanted, T x,                                                     \
                                               memory_order order = memory_order_seq_cst) const {                  \
    return compare_exchange_strong(wanted, x, order);                                                              \
  }                                                                                                                \
  __device__ inline T operator=(T x) const {                                                                       \
    store(x);                                                                                                      \
    return x;                                                                                                      \
  }                                                                                                                \
  __device__ inline operator T() const { return load(); }                                                          \
  __device__ inline T operator++() const { return fetch_add((T)1) + (T)1; }                                        \
  __device__ inline T operator++(int) const { return fetch_add((T)1); }                                            \
  __device__ inline T operator--() const { return fetch_sub((T)1) - (T)1; }                                        \
  __device__ inline T operator--(int) const { return fetch_sub((T)1); }                                            \
  __device__ inline T operator+=(T x) const { return fetch_add(x) + x; }                                           \
  __device__ inline T operator-=(T x) const { return fetch_sub(x) - x; }                                           \
  __device__ inline T operator&=(T x) const { return fetch_and(x) & x; }                                           \
  __device__ inline T operator|=(T x) const { return fetch_or(x) | x; }                                            \
  __device__ inline T operator^=(T x) const { return fetch_xor(x) ^ x; }
template <class T, thread_scope S = thread_scope_system> struct atomic_ref {
  T *gridlock_cell;
  __device__ inline T *gridlock_at() const { return gridlock_cell; }
  __device__ inline explicit atomic_ref(T &of) : gridlock_cell(&of) {}
  GRIDLOCK_MEMBERS
};
template <class T, thread_scope S = thread_scope_system> struct atomic {
  T gridlock_cell;
  __device__ inline T *gridlock_at() const { return (T *)&gridlock_cell; }
  atomic() = default;
  __host__ __device__ constexpr atomic(T value) : gridlock_cell(value) {}
  GRIDLOCK_MEMBERS
};
#undef GRIDLOCK_MEMBERS
#undef GRIDLOCK_FETCH
namespace std {
using namespace ::std;
template <class T> using atomic = ::cuda::atomic<T, thread_scope_system>;
template <class T> using atomic_ref = ::cuda::atomic_ref<T, thread_scope_system>;
using ::cuda::memory_order;
using ::cuda::memory_order_acq_rel;
using ::cuda::memory_order_acquire;
using ::cuda::memory_order_consume;
using ::cuda::memory_order_relaxed;
using ::cuda::memory_order_release;
using ::cuda::memory_order_seq_cst;
inline __device__ void atomic_thread_fence(memory_order order) { ::cuda::atomic_thread_fence(order); }
} // namespace std
} // namespace cuda
#endif
