// Cooperative groups. The front end knows the members of the thread block, the grid and tiles of a block by name;
// groups whose threads are found at run time are written here with the functions of the warp.
#pragma once
#include <gridlock_copy.h>
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
// What tiles of one size have in common, whichever group they are parts of.
template <unsigned int N> struct gridlock_tile {
  __device__ void sync() const;
  __device__ unsigned int thread_rank() const;
  __device__ unsigned int size() const;
  __device__ unsigned int num_threads() const;
  template <class T> __device__ T shfl(T, int) const;
  template <class T> __device__ T shfl_up(T, unsigned int) const;
  template <class T> __device__ T shfl_down(T, unsigned int) const;
  template <class T> __device__ T shfl_xor(T, unsigned int) const;
  __device__ int any(int) const;
  __device__ int all(int) const;
  __device__ unsigned int ballot(int) const;
  template <class T> __device__ unsigned int match_any(T) const;
};
// Of the block: the parent need not be named.
template <unsigned int N> struct thread_block_tile<N, void> : gridlock_tile<N> {
  __device__ unsigned int meta_group_rank() const;
  __device__ unsigned int meta_group_size() const;
};
template <unsigned int N, class P> struct thread_block_tile : thread_block_tile<N, void> {};
// Of a tile, within which meta_group_rank counts: nothing else says so, so that it is not one whose parent is not named.
template <unsigned int N, unsigned int M, class P>
struct thread_block_tile<N, thread_block_tile<M, P>> : gridlock_tile<N> {
  __device__ unsigned int meta_group_rank() const;
  __device__ unsigned int meta_group_size() const;
};
template <unsigned int N> struct block_tile_memory { char unused; };
__device__ thread_block_tile<32> gridlock_warp();
__device__ thread_block gridlock_block();
inline __device__ unsigned int gridlock_lane() { return gridlock_warp().thread_rank(); }
// The lane of the warp that has a rank among these lanes.
inline __device__ int gridlock_lane_of(unsigned int lanes, unsigned int rank) {
  for (; rank > 0; rank--)
    lanes = lanes & (lanes - 1u);
  return __ffs((int)lanes) - 1;
}
// A set of lanes of the warp, found at run time. Ranks count among them; its functions are those of the warp with
// these lanes as their mask.
struct coalesced_group {
  unsigned int lanes;
  __device__ void sync() const { __syncwarp(lanes); }
  __device__ unsigned int thread_rank() const { return (unsigned int)__popc(lanes & ((1u << gridlock_lane()) - 1u)); }
  __device__ unsigned int size() const { return (unsigned int)__popc(lanes); }
  __device__ unsigned int num_threads() const { return (unsigned int)__popc(lanes); }
  __device__ unsigned int meta_group_rank() const { return 0u; }
  __device__ unsigned int meta_group_size() const { return 1u; }
  template <class T> __device__ T shfl(T value, unsigned int rank) const {
    int from = gridlock_lane_of(lanes, rank);
    return __shfl_sync(lanes, value, from);
  }
  template <class T> __device__ T shfl_up(T value, unsigned int by) const {
    unsigned int rank = thread_rank();
    int from = gridlock_lane_of(lanes, rank >= by ? rank - by : rank);
    return __shfl_sync(lanes, value, from);
  }
  template <class T> __device__ T shfl_down(T value, unsigned int by) const {
    unsigned int rank = thread_rank();
    int from = gridlock_lane_of(lanes, rank + by < size() ? rank + by : rank);
    return __shfl_sync(lanes, value, from);
  }
  __device__ int any(int holds) const { return __any_sync(lanes, holds); }
  __device__ int all(int holds) const { return __all_sync(lanes, holds); }
  // Lanes of the warp as ranks of the group.
  __device__ unsigned int gridlock_ranks(unsigned int of) const {
    unsigned int ranks = 0u, rank = 0u;
    for (int lane = 0; lane < 32; lane++)
      if (lanes >> lane & 1u) {
        ranks = ranks | (of >> lane & 1u) << rank;
        rank++;
      }
    return ranks;
  }
  __device__ unsigned int ballot(int holds) const {
    unsigned int found = __ballot_sync(lanes, holds);
    return gridlock_ranks(found);
  }
  template <class T> __device__ unsigned int match_any(T value) const {
    unsigned int found = __match_any_sync(lanes, value);
    return gridlock_ranks(found);
  }
};
inline __device__ coalesced_group coalesced_threads() {
  coalesced_group group;
  group.lanes = __activemask();
  return group;
}
inline __device__ unsigned int gridlock_lanes(const coalesced_group &of) { return of.lanes; }
template <unsigned int N, class P>
inline __device__ unsigned int gridlock_lanes(const thread_block_tile<N, P> &of) {
  unsigned int first = gridlock_lane() / N * N;
  return N == 32 ? 0xffffffffu : ((1u << N % 32u) - 1u) << first;
}
// The lanes of a group that give the same label, and those that agree on a condition.
template <class G, class L> inline __device__ coalesced_group labeled_partition(const G &of, L label) {
  coalesced_group group;
  group.lanes = __match_any_sync(gridlock_lanes(of), label);
  return group;
}
template <class G> inline __device__ coalesced_group binary_partition(const G &of, bool holds) {
  coalesced_group group;
  unsigned int lanes = gridlock_lanes(of), found = __ballot_sync(lanes, (int)holds);
  group.lanes = holds ? found : lanes & ~found;
  return group;
}
inline __device__ void sync(const coalesced_group &group) { group.sync(); }
inline __device__ unsigned int thread_rank(const coalesced_group &group) { return group.thread_rank(); }
inline __device__ unsigned int group_size(const coalesced_group &group) { return group.size(); }
// The type of any group of a block: the block itself, or lanes of a warp.
struct thread_group {
  bool is_block;
  unsigned int lanes;
  __device__ thread_group(const thread_block &) : is_block(true), lanes(0u) {}
  __device__ thread_group(const coalesced_group &of) : is_block(false), lanes(of.lanes) {}
  template <unsigned int N, class P>
  __device__ thread_group(const thread_block_tile<N, P> &of) : is_block(false), lanes(gridlock_lanes(of)) {}
  __device__ thread_group(unsigned int of) : is_block(false), lanes(of) {}
  __device__ void sync() const {
    if (is_block)
      __syncthreads();
    else
      __syncwarp(lanes);
  }
  __device__ unsigned int thread_rank() const {
    return is_block ? gridlock_block().thread_rank() : (unsigned int)__popc(lanes & ((1u << gridlock_lane()) - 1u));
  }
  __device__ unsigned int size() const { return is_block ? gridlock_block().size() : (unsigned int)__popc(lanes); }
  __device__ unsigned int num_threads() const { return size(); }
};
inline __device__ void sync(const thread_group &group) { group.sync(); }
inline __device__ unsigned int thread_rank(const thread_group &group) { return group.thread_rank(); }
inline __device__ unsigned int group_size(const thread_group &group) { return group.size(); }
template <unsigned int N, class P> __device__ thread_block_tile<N, P> tiled_partition(const P &);
// Tiles of lanes found at run time are such lanes again.
template <unsigned int N> inline __device__ coalesced_group tiled_partition(const coalesced_group &of) {
  coalesced_group group;
  group.lanes = 0u;
  unsigned int first = of.thread_rank() / N * N;
  for (unsigned int i = first; i < first + N; i++)
    if (i < of.size())
      group.lanes = group.lanes | 1u << gridlock_lane_of(of.lanes, i);
  return group;
}
// Tiles whose size is a power of two up to 32 and known at run time.
inline __device__ thread_group tiled_partition(const thread_group &of, unsigned int n) {
  unsigned int rank = of.thread_rank(), first = rank / n * n, lanes = 0u;
  if (of.is_block)
    lanes = (n >= 32u ? 0xffffffffu : (1u << n % 32u) - 1u) << first % 32u;
  else
    for (unsigned int i = first; i < first + n; i++)
      if (i < of.size())
        lanes = lanes | 1u << gridlock_lane_of(of.lanes, i);
  return thread_group(lanes);
}
template <unsigned int N, class P> __device__ void sync(thread_block_tile<N, P> const &);
template <class T> struct plus {
  __device__ T operator()(T a, T b) const { return a + b; }
};
template <class T> struct less {
  __device__ T operator()(T a, T b) const { return b < a ? b : a; }
};
template <class T> struct greater {
  __device__ T operator()(T a, T b) const { return a < b ? b : a; }
};
template <class T> struct bit_and {
  __device__ T operator()(T a, T b) const { return a & b; }
};
template <class T> struct bit_or {
  __device__ T operator()(T a, T b) const { return a | b; }
};
template <class T> struct bit_xor {
  __device__ T operator()(T a, T b) const { return a ^ b; }
};
template <unsigned int N, class P, class T, class F>
__device__ T reduce(thread_block_tile<N, P> const &, T, F);
template <class T, class F> inline __device__ T reduce(const coalesced_group &group, T value, F both) {
  T sum = group.shfl(value, 0u);
  for (unsigned int rank = 1u; rank < group.size(); rank++)
    sum = both(sum, group.shfl(value, rank));
  return sum;
}
template <class G, class T, class F> inline __device__ T inclusive_scan(const G &group, T value, F both) {
  for (unsigned int by = 1u; by < group.size(); by = by * 2u) {
    T before = group.shfl_up(value, by);
    if (group.thread_rank() >= by)
      value = both(before, value);
  }
  return value;
}
template <class G, class T> inline __device__ T inclusive_scan(const G &group, T value) {
  return inclusive_scan(group, value, plus<T>());
}
template <class G, class T, class F> inline __device__ T exclusive_scan(const G &group, T value, F both) {
  T with = inclusive_scan(group, value, both);
  T before = group.shfl_up(with, 1u);
  return group.thread_rank() == 0u ? T() : before;
}
template <class G, class T> inline __device__ T exclusive_scan(const G &group, T value) {
  return exclusive_scan(group, value, plus<T>());
}
__device__ thread_block this_thread_block();
template <unsigned int N> __device__ thread_block this_thread_block(block_tile_memory<N> &);
__device__ grid_group this_grid();
__device__ void sync(thread_block const &);
__device__ void sync(grid_group const &);
__device__ void synchronize(thread_block const &);
__device__ void synchronize(grid_group const &);
__device__ unsigned int thread_rank(thread_block const &);
__device__ unsigned long long thread_rank(grid_group const &);
__device__ unsigned int group_size(thread_block const &);
__device__ unsigned long long group_size(grid_group const &);
// Copies by a group: each call is a stage.
template <class G, class T, class S, class N>
__device__ inline void memcpy_async(const G &group, T *to, const S *from, N bytes) {
  gridlock_group_copy(group, to, from, (size_t)bytes, 0u);
  gridlock_copies_commit();
}
template <class G, class T, class S, class M, class N>
__device__ inline void memcpy_async(const G &group, T *to, M room, const S *from, N given) {
  size_t most = (size_t)room < (size_t)given ? (size_t)room : (size_t)given;
  gridlock_group_copy(group, to, from, most * sizeof(T), 0u);
  gridlock_copies_commit();
}
template <unsigned int N, class G> __device__ inline void wait_prior(const G &group) {
  gridlock_copies_wait(N);
  group.sync();
}
template <class G> __device__ inline void wait(const G &group) {
  gridlock_copies_wait(0u);
  group.sync();
}
}
