// CUB's collective operations of a block and of a warp, as their documentation specifies them: what each thread gives
// is put into the storage, all meet, and each reads what it needs. So a storage that is used again without a barrier
// in between is a race, as it is with CUB, whatever the two operations are: each begins with a write to the storage's
// first cell by the first thread, and ends with reads of it by all (a reduction: with reads of all cells by the first).
// Sums are taken from the first thread to the last, one of the orders CUB may choose; what a reduction gives to other
// threads than the first has no value.
#pragma once
#ifdef __CUDA__
#include <cooperative_groups.h>
#include <cuda_runtime.h>
#define CUB_VERSION 200001
#define CUB_MAJOR_VERSION 2
namespace cub {
struct Sum {
  template <class T> __host__ __device__ T operator()(const T &a, const T &b) const { return a + b; }
};
struct Max {
  template <class T> __host__ __device__ T operator()(const T &a, const T &b) const { return a < b ? b : a; }
};
struct Min {
  template <class T> __host__ __device__ T operator()(const T &a, const T &b) const { return b < a ? b : a; }
};
template <class K, class V> struct KeyValuePair {
  K key;
  V value;
};
struct NullType {};
struct Equality {
  template <class T> __host__ __device__ bool operator()(const T &a, const T &b) const { return a == b; }
};
struct Inequality {
  template <class T> __host__ __device__ bool operator()(const T &a, const T &b) const { return !(a == b); }
};
enum BlockReduceAlgorithm { BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY, BLOCK_REDUCE_RAKING, BLOCK_REDUCE_WARP_REDUCTIONS };
enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };
inline __device__ int gridlock_rank() { return (int)cooperative_groups::gridlock_block().thread_rank(); }

template <class T, int X, BlockReduceAlgorithm A = BLOCK_REDUCE_WARP_REDUCTIONS, int Y = 1, int Z = 1, int P = 0>
struct BlockReduce {
  struct TempStorage { T given[X * Y * Z]; };
  T *given;
  __device__ explicit BlockReduce(TempStorage &storage) : given(storage.given) {}
  template <class F> __device__ T Reduce(T value, F both, int n) {
    int rank = gridlock_rank();
    given[rank] = value;
    __syncthreads();
    T result;
    if (rank == 0) {
      T sum = value;
      for (int i = 1; i < n; i++)
        sum = both(sum, given[i]);
      result = sum;
    }
    return result;
  }
  template <class F> __device__ T Reduce(T value, F both) { return Reduce(value, both, X * Y * Z); }
  __device__ T Sum(T value) { return Reduce(value, cub::Sum(), X * Y * Z); }
  __device__ T Sum(T value, int n) { return Reduce(value, cub::Sum(), n); }
  template <int N, class F> __device__ T Reduce(T (&items)[N], F both) {
    T sum = items[0];
    for (int i = 1; i < N; i++)
      sum = both(sum, items[i]);
    return Reduce(sum, both, X * Y * Z);
  }
  template <int N> __device__ T Sum(T (&items)[N]) { return Reduce(items, cub::Sum()); }
};
template <class T, int X, BlockScanAlgorithm A = BLOCK_SCAN_RAKING, int Y = 1, int Z = 1, int P = 0> struct BlockScan {
  struct TempStorage { T given[X * Y * Z]; };
  T *given;
  __device__ explicit BlockScan(TempStorage &storage) : given(storage.given) {}
  template <class F> __device__ void InclusiveScan(T value, T &result, F both) {
    int rank = gridlock_rank();
    given[rank] = value;
    __syncthreads();
    T sum = given[0];
    for (int i = 1; i <= rank; i++)
      sum = both(sum, given[i]);
    result = sum;
  }
  template <class F> __device__ void ExclusiveScan(T value, T &result, T first, F both) {
    int rank = gridlock_rank();
    given[rank] = value;
    __syncthreads();
    T sum = first;
    for (int i = 0; i < rank; i++)
      sum = both(sum, given[i]);
    result = sum;
  }
  template <class F> __device__ void InclusiveScan(T value, T &result, F both, T &all) {
    InclusiveScan(value, result, both);
    T sum = given[0];
    for (int i = 1; i < X * Y * Z; i++)
      sum = both(sum, given[i]);
    all = sum;
  }
  template <class F> __device__ void ExclusiveScan(T value, T &result, T first, F both, T &all) {
    ExclusiveScan(value, result, first, both);
    T sum = given[0];
    for (int i = 1; i < X * Y * Z; i++)
      sum = both(sum, given[i]);
    all = sum;
  }
  __device__ void InclusiveSum(T value, T &result) { InclusiveScan(value, result, cub::Sum()); }
  __device__ void ExclusiveSum(T value, T &result) { ExclusiveScan(value, result, T(), cub::Sum()); }
  __device__ void InclusiveSum(T value, T &result, T &all) { InclusiveScan(value, result, cub::Sum(), all); }
  __device__ void ExclusiveSum(T value, T &result, T &all) { ExclusiveScan(value, result, T(), cub::Sum(), all); }
  // Several items of each thread, side by side.
  template <int N, class F> __device__ void InclusiveScan(T (&items)[N], T (&results)[N], F both) {
    int rank = gridlock_rank();
    T sum = items[0];
    for (int i = 1; i < N; i++)
      sum = both(sum, items[i]);
    given[rank] = sum;
    __syncthreads();
    sum = items[0];
    if (rank > 0) {
      T before = given[0];
      for (int i = 1; i < rank; i++)
        before = both(before, given[i]);
      sum = both(before, sum);
    }
    for (int i = 0; i < N; i++) {
      if (i > 0)
        sum = both(sum, items[i]);
      results[i] = sum;
    }
  }
  template <int N, class F> __device__ void ExclusiveScan(T (&items)[N], T (&results)[N], T first, F both) {
    int rank = gridlock_rank();
    T sum = items[0];
    for (int i = 1; i < N; i++)
      sum = both(sum, items[i]);
    given[rank] = sum;
    __syncthreads();
    sum = first;
    for (int i = 0; i < rank; i++)
      sum = both(sum, given[i]);
    for (int i = 0; i < N; i++) {
      T own = items[i];
      results[i] = sum;
      sum = both(sum, own);
    }
  }
  __device__ void All(T &all) {
    T sum = given[0];
    for (int i = 1; i < X * Y * Z; i++)
      sum = sum + given[i];
    all = sum;
  }
  template <int N> __device__ void InclusiveSum(T (&items)[N], T (&results)[N]) {
    InclusiveScan(items, results, cub::Sum());
  }
  template <int N> __device__ void ExclusiveSum(T (&items)[N], T (&results)[N]) {
    ExclusiveScan(items, results, T(), cub::Sum());
  }
  template <int N> __device__ void InclusiveSum(T (&items)[N], T (&results)[N], T &all) {
    InclusiveScan(items, results, cub::Sum());
    All(all);
  }
  template <int N> __device__ void ExclusiveSum(T (&items)[N], T (&results)[N], T &all) {
    ExclusiveScan(items, results, T(), cub::Sum());
    All(all);
  }
};
// Items of a thread that lie side by side, and those that lie a block's threads apart.
template <class T, int N, class I> __device__ void LoadDirectBlocked(int rank, I from, T (&items)[N]) {
  for (int i = 0; i < N; i++)
    items[i] = from[rank * N + i];
}
template <class T, int N, class I> __device__ void LoadDirectBlocked(int rank, I from, T (&items)[N], int valid) {
  for (int i = 0; i < N; i++)
    if (rank * N + i < valid)
      items[i] = from[rank * N + i];
}
template <class T, class D, int N, class I>
__device__ void LoadDirectBlocked(int rank, I from, T (&items)[N], int valid, D other) {
  for (int i = 0; i < N; i++) {
    items[i] = other;
    if (rank * N + i < valid)
      items[i] = from[rank * N + i];
  }
}
template <int X, class T, int N, class I> __device__ void LoadDirectStriped(int rank, I from, T (&items)[N]) {
  for (int i = 0; i < N; i++)
    items[i] = from[rank + i * X];
}
template <int X, class T, int N, class I> __device__ void LoadDirectStriped(int rank, I from, T (&items)[N], int valid) {
  for (int i = 0; i < N; i++)
    if (rank + i * X < valid)
      items[i] = from[rank + i * X];
}
template <int X, class T, class D, int N, class I>
__device__ void LoadDirectStriped(int rank, I from, T (&items)[N], int valid, D other) {
  for (int i = 0; i < N; i++) {
    items[i] = other;
    if (rank + i * X < valid)
      items[i] = from[rank + i * X];
  }
}
template <class T, int N, class I> __device__ void StoreDirectBlocked(int rank, I to, T (&items)[N]) {
  for (int i = 0; i < N; i++)
    to[rank * N + i] = items[i];
}
template <class T, int N, class I> __device__ void StoreDirectBlocked(int rank, I to, T (&items)[N], int valid) {
  for (int i = 0; i < N; i++)
    if (rank * N + i < valid)
      to[rank * N + i] = items[i];
}
template <int X, class T, int N, class I> __device__ void StoreDirectStriped(int rank, I to, T (&items)[N]) {
  for (int i = 0; i < N; i++)
    to[rank + i * X] = items[i];
}
template <int X, class T, int N, class I> __device__ void StoreDirectStriped(int rank, I to, T (&items)[N], int valid) {
  for (int i = 0; i < N; i++)
    if (rank + i * X < valid)
      to[rank + i * X] = items[i];
}

template <class T, int X, int N, bool S = false, int Y = 1, int Z = 1, int P = 0> struct BlockExchange {
  struct TempStorage { T given[X * Y * Z * N]; };
  T *given;
  __device__ explicit BlockExchange(TempStorage &storage) : given(storage.given) {}
  template <class O> __device__ void StripedToBlocked(const T (&items)[N], O (&results)[N]) {
    int rank = gridlock_rank();
    for (int i = 0; i < N; i++)
      given[rank + i * (X * Y * Z)] = items[i];
    __syncthreads();
    for (int i = 0; i < N; i++)
      results[i] = given[rank * N + i];
    T last = given[0];
  }
  template <class O> __device__ void BlockedToStriped(const T (&items)[N], O (&results)[N]) {
    int rank = gridlock_rank();
    for (int i = 0; i < N; i++)
      given[rank * N + i] = items[i];
    __syncthreads();
    for (int i = 0; i < N; i++)
      results[i] = given[rank + i * (X * Y * Z)];
    T last = given[0];
  }
  // Of a warp, in place of the block: its threads meet, and their part of the storage is their own.
  template <class O> __device__ void WarpStripedToBlocked(const T (&items)[N], O (&results)[N]) {
    int rank = gridlock_rank(), lane = rank % 32, first = rank / 32 * 32 * N;
    int lanes = X * Y * Z - rank / 32 * 32 < 32 ? X * Y * Z - rank / 32 * 32 : 32;
    for (int i = 0; i < N; i++)
      given[first + lane + i * lanes] = items[i];
    __syncwarp(lanes == 32 ? 0xffffffffu : (1u << lanes) - 1u);
    for (int i = 0; i < N; i++)
      results[i] = given[first + lane * N + i];
    T last = given[first];
  }
  template <class O> __device__ void BlockedToWarpStriped(const T (&items)[N], O (&results)[N]) {
    int rank = gridlock_rank(), lane = rank % 32, first = rank / 32 * 32 * N;
    int lanes = X * Y * Z - rank / 32 * 32 < 32 ? X * Y * Z - rank / 32 * 32 : 32;
    for (int i = 0; i < N; i++)
      given[first + lane * N + i] = items[i];
    __syncwarp(lanes == 32 ? 0xffffffffu : (1u << lanes) - 1u);
    for (int i = 0; i < N; i++)
      results[i] = given[first + lane + i * lanes];
    T last = given[first];
  }
  template <class O, class R>
  __device__ void ScatterToBlocked(const T (&items)[N], O (&results)[N], const R (&ranks)[N]) {
    for (int i = 0; i < N; i++)
      given[ranks[i]] = items[i];
    __syncthreads();
    for (int i = 0; i < N; i++)
      results[i] = given[gridlock_rank() * N + i];
    T last = given[0];
  }
  template <class O, class R>
  __device__ void ScatterToStriped(const T (&items)[N], O (&results)[N], const R (&ranks)[N]) {
    for (int i = 0; i < N; i++)
      given[ranks[i]] = items[i];
    __syncthreads();
    for (int i = 0; i < N; i++)
      results[i] = given[gridlock_rank() + i * (X * Y * Z)];
    T last = given[0];
  }
  __device__ void StripedToBlocked(T (&items)[N]) { StripedToBlocked(items, items); }
  __device__ void BlockedToStriped(T (&items)[N]) { BlockedToStriped(items, items); }
  __device__ void WarpStripedToBlocked(T (&items)[N]) { WarpStripedToBlocked(items, items); }
  __device__ void BlockedToWarpStriped(T (&items)[N]) { BlockedToWarpStriped(items, items); }
  template <class R> __device__ void ScatterToBlocked(T (&items)[N], const R (&ranks)[N]) {
    ScatterToBlocked(items, items, ranks);
  }
  template <class R> __device__ void ScatterToStriped(T (&items)[N], const R (&ranks)[N]) {
    ScatterToStriped(items, items, ranks);
  }
};

enum BlockLoadAlgorithm {
  BLOCK_LOAD_DIRECT,
  BLOCK_LOAD_STRIPED,
  BLOCK_LOAD_VECTORIZE,
  BLOCK_LOAD_TRANSPOSE,
  BLOCK_LOAD_WARP_TRANSPOSE,
  BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED
};
enum BlockStoreAlgorithm {
  BLOCK_STORE_DIRECT,
  BLOCK_STORE_STRIPED,
  BLOCK_STORE_VECTORIZE,
  BLOCK_STORE_TRANSPOSE,
  BLOCK_STORE_WARP_TRANSPOSE,
  BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED
};
// What transposes exchanges items in the storage; what does not leaves it alone.
template <class T, int X, int N, BlockLoadAlgorithm A = BLOCK_LOAD_DIRECT, int Y = 1, int Z = 1, int P = 0>
struct BlockLoad {
  struct TempStorage { T given[A >= BLOCK_LOAD_TRANSPOSE ? X * Y * Z * N : 1]; };
  T *given;
  __device__ explicit BlockLoad(TempStorage &storage) : given(storage.given) {}
  __device__ void Transpose(T (&items)[N]) {
    int rank = gridlock_rank();
    for (int i = 0; i < N; i++)
      given[rank + i * (X * Y * Z)] = items[i];
    __syncthreads();
    for (int i = 0; i < N; i++)
      items[i] = given[rank * N + i];
    T last = given[0];
  }
  template <class I> __device__ void Load(I from, T (&items)[N]) {
    if constexpr (A == BLOCK_LOAD_DIRECT || A == BLOCK_LOAD_VECTORIZE)
      LoadDirectBlocked(gridlock_rank(), from, items);
    else
      LoadDirectStriped<X * Y * Z>(gridlock_rank(), from, items);
    if constexpr (A >= BLOCK_LOAD_TRANSPOSE)
      Transpose(items);
  }
  template <class I> __device__ void Load(I from, T (&items)[N], int valid) {
    if constexpr (A == BLOCK_LOAD_DIRECT || A == BLOCK_LOAD_VECTORIZE)
      LoadDirectBlocked(gridlock_rank(), from, items, valid);
    else
      LoadDirectStriped<X * Y * Z>(gridlock_rank(), from, items, valid);
    if constexpr (A >= BLOCK_LOAD_TRANSPOSE)
      Transpose(items);
  }
  template <class I, class D> __device__ void Load(I from, T (&items)[N], int valid, D other) {
    if constexpr (A == BLOCK_LOAD_DIRECT || A == BLOCK_LOAD_VECTORIZE)
      LoadDirectBlocked(gridlock_rank(), from, items, valid, other);
    else
      LoadDirectStriped<X * Y * Z>(gridlock_rank(), from, items, valid, other);
    if constexpr (A >= BLOCK_LOAD_TRANSPOSE)
      Transpose(items);
  }
};
template <class T, int X, int N, BlockStoreAlgorithm A = BLOCK_STORE_DIRECT, int Y = 1, int Z = 1, int P = 0>
struct BlockStore {
  struct TempStorage { T given[A >= BLOCK_STORE_TRANSPOSE ? X * Y * Z * N : 1]; };
  T *given;
  __device__ explicit BlockStore(TempStorage &storage) : given(storage.given) {}
  __device__ void Transpose(T (&items)[N]) {
    int rank = gridlock_rank();
    for (int i = 0; i < N; i++)
      given[rank * N + i] = items[i];
    __syncthreads();
    for (int i = 0; i < N; i++)
      items[i] = given[rank + i * (X * Y * Z)];
    T last = given[0];
  }
  template <class I> __device__ void Store(I to, T (&items)[N]) {
    if constexpr (A >= BLOCK_STORE_TRANSPOSE)
      Transpose(items);
    if constexpr (A == BLOCK_STORE_DIRECT || A == BLOCK_STORE_VECTORIZE)
      StoreDirectBlocked(gridlock_rank(), to, items);
    else
      StoreDirectStriped<X * Y * Z>(gridlock_rank(), to, items);
  }
  template <class I> __device__ void Store(I to, T (&items)[N], int valid) {
    if constexpr (A >= BLOCK_STORE_TRANSPOSE)
      Transpose(items);
    if constexpr (A == BLOCK_STORE_DIRECT || A == BLOCK_STORE_VECTORIZE)
      StoreDirectBlocked(gridlock_rank(), to, items, valid);
    else
      StoreDirectStriped<X * Y * Z>(gridlock_rank(), to, items, valid);
  }
};

// Each item less the one before it, or the one behind it, by a function of the caller's.
template <class T, int X, int Y = 1, int Z = 1, int P = 0> struct BlockAdjacentDifference {
  struct TempStorage { T given[X * Y * Z]; };
  T *given;
  __device__ explicit BlockAdjacentDifference(TempStorage &storage) : given(storage.given) {}
  template <int N, class O, class F> __device__ void SubtractLeft(T (&items)[N], O (&results)[N], F less) {
    int rank = gridlock_rank();
    given[rank] = items[N - 1];
    __syncthreads();
    T first = given[0];
    for (int i = N - 1; i > 0; i--)
      results[i] = less(items[i], items[i - 1]);
    if (rank == 0)
      results[0] = items[0];
    else
      results[0] = less(items[0], given[rank - 1]);
  }
  template <int N, class O, class F>
  __device__ void SubtractLeft(T (&items)[N], O (&results)[N], F less, T before) {
    int rank = gridlock_rank();
    given[rank] = items[N - 1];
    __syncthreads();
    T first = given[0];
    for (int i = N - 1; i > 0; i--)
      results[i] = less(items[i], items[i - 1]);
    if (rank == 0)
      results[0] = less(items[0], before);
    else
      results[0] = less(items[0], given[rank - 1]);
  }
  template <int N, class O, class F> __device__ void SubtractRight(T (&items)[N], O (&results)[N], F less) {
    int rank = gridlock_rank();
    given[rank] = items[0];
    __syncthreads();
    T first = given[0];
    for (int i = 0; i < N - 1; i++)
      results[i] = less(items[i], items[i + 1]);
    if (rank == X * Y * Z - 1)
      results[N - 1] = items[N - 1];
    else
      results[N - 1] = less(items[N - 1], given[rank + 1]);
  }
};

// Flags where an item begins a run of equals, or ends one.
template <class T, int X, int Y = 1, int Z = 1, int P = 0> struct BlockDiscontinuity {
  struct TempStorage { T given[X * Y * Z]; };
  T *given;
  __device__ explicit BlockDiscontinuity(TempStorage &storage) : given(storage.given) {}
  template <int N, class G, class F> __device__ void FlagHeads(G (&flags)[N], T (&items)[N], F differ) {
    int rank = gridlock_rank();
    given[rank] = items[N - 1];
    __syncthreads();
    T first = given[0];
    for (int i = N - 1; i > 0; i--)
      flags[i] = differ(items[i - 1], items[i]);
    if (rank == 0)
      flags[0] = 1;
    else
      flags[0] = differ(given[rank - 1], items[0]);
  }
  template <int N, class G, class F> __device__ void FlagTails(G (&flags)[N], T (&items)[N], F differ) {
    int rank = gridlock_rank();
    given[rank] = items[0];
    __syncthreads();
    T first = given[0];
    for (int i = 0; i < N - 1; i++)
      flags[i] = differ(items[i], items[i + 1]);
    if (rank == X * Y * Z - 1)
      flags[N - 1] = 1;
    else
      flags[N - 1] = differ(items[N - 1], given[rank + 1]);
  }
};

// The bits of a key, so that they are ordered as numbers without a sign.
template <class K> __device__ unsigned long long gridlock_digits(K key) {
  constexpr int bits = sizeof(K) * 8;
  unsigned long long number = (unsigned long long)key;
  if constexpr ((K)-1 < (K)0)
    number ^= 1ull << (bits - 1);
  if constexpr (bits < 64)
    number &= (1ull << bits) - 1;
  return number;
}
// Both zeros are one key.
inline __device__ unsigned long long gridlock_digits(float key) {
  unsigned int number = key == 0.0f ? 0u : __float_as_uint(key);
  return number >> 31 ? ~number : number | 0x80000000u;
}
inline __device__ unsigned long long gridlock_digits(double key) {
  unsigned long long number = key == 0.0 ? 0ull : (unsigned long long)__double_as_longlong(key);
  return number >> 63 ? ~number : number | 0x8000000000000000ull;
}
// Sorts keep the order of equals. Where a key goes is how many come before it.
template <class K, int X, int Y, int Z, int N> struct gridlock_keys {
  static constexpr int B = X * Y * Z;
  K *given;
  static __device__ unsigned long long Digits(K key, int begin, int end) {
    unsigned long long number = gridlock_digits(key) >> begin;
    return end - begin < 64 ? number & ((1ull << (end - begin)) - 1) : number;
  }
  __device__ void Ranks(K (&keys)[N], int (&ranks)[N], bool falls, int begin, int end) {
    int rank = gridlock_rank();
    for (int i = 0; i < N; i++)
      given[rank * N + i] = keys[i];
    __syncthreads();
    for (int i = 0; i < N; i++) {
      int before = 0;
      unsigned long long own = Digits(keys[i], begin, end);
      for (int j = 0; j < B * N; j++) {
        unsigned long long other = Digits(given[j], begin, end);
        bool is_before = falls ? own < other : other < own;
        before += is_before || (other == own && j < rank * N + i);
      }
      ranks[i] = before;
    }
    __syncthreads();
  }
  __device__ void Keys(K (&keys)[N], bool falls, bool striped, int begin, int end) {
    int ranks[N];
    Ranks(keys, ranks, falls, begin, end);
    for (int i = 0; i < N; i++)
      given[ranks[i]] = keys[i];
    __syncthreads();
    for (int i = 0; i < N; i++)
      keys[i] = given[striped ? gridlock_rank() + i * B : gridlock_rank() * N + i];
    K last = given[0];
  }
  __device__ void Sort(K (&keys)[N], int begin = 0, int end = sizeof(K) * 8) { Keys(keys, false, false, begin, end); }
  __device__ void SortDescending(K (&keys)[N], int begin = 0, int end = sizeof(K) * 8) {
    Keys(keys, true, false, begin, end);
  }
  __device__ void SortBlockedToStriped(K (&keys)[N], int begin = 0, int end = sizeof(K) * 8) {
    Keys(keys, false, true, begin, end);
  }
  __device__ void SortDescendingBlockedToStriped(K (&keys)[N], int begin = 0, int end = sizeof(K) * 8) {
    Keys(keys, true, true, begin, end);
  }
};
template <class K, int X, int N, class V = NullType, int R = 4, bool M = true, int S = 0, int C = 0, int Y = 1, int Z = 1>
struct BlockRadixSort : gridlock_keys<K, X, Y, Z, N> {
  using gridlock_keys<K, X, Y, Z, N>::Sort;
  using gridlock_keys<K, X, Y, Z, N>::SortDescending;
  using gridlock_keys<K, X, Y, Z, N>::SortBlockedToStriped;
  using gridlock_keys<K, X, Y, Z, N>::SortDescendingBlockedToStriped;
  struct TempStorage {
    K given[X * Y * Z * N];
    V values[X * Y * Z * N];
  };
  V *values;
  __device__ explicit BlockRadixSort(TempStorage &storage) : values(storage.values) { this->given = storage.given; }
  __device__ void Pairs(K (&keys)[N], V (&items)[N], bool falls, bool striped, int begin, int end) {
    int ranks[N];
    this->Ranks(keys, ranks, falls, begin, end);
    for (int i = 0; i < N; i++) {
      this->given[ranks[i]] = keys[i];
      values[ranks[i]] = items[i];
    }
    __syncthreads();
    for (int i = 0; i < N; i++) {
      int at = striped ? gridlock_rank() + i * (X * Y * Z) : gridlock_rank() * N + i;
      keys[i] = this->given[at];
      items[i] = values[at];
    }
    K last = this->given[0];
  }
  __device__ void Sort(K (&keys)[N], V (&items)[N], int begin = 0, int end = sizeof(K) * 8) {
    Pairs(keys, items, false, false, begin, end);
  }
  __device__ void SortDescending(K (&keys)[N], V (&items)[N], int begin = 0, int end = sizeof(K) * 8) {
    Pairs(keys, items, true, false, begin, end);
  }
  __device__ void SortBlockedToStriped(K (&keys)[N], V (&items)[N], int begin = 0, int end = sizeof(K) * 8) {
    Pairs(keys, items, false, true, begin, end);
  }
  __device__ void SortDescendingBlockedToStriped(K (&keys)[N], V (&items)[N], int begin = 0, int end = sizeof(K) * 8) {
    Pairs(keys, items, true, true, begin, end);
  }
};
template <class K, int X, int N, int R, bool M, int S, int C, int Y, int Z>
struct BlockRadixSort<K, X, N, NullType, R, M, S, C, Y, Z> : gridlock_keys<K, X, Y, Z, N> {
  struct TempStorage { K given[X * Y * Z * N]; };
  __device__ explicit BlockRadixSort(TempStorage &storage) { this->given = storage.given; }
};

enum BlockHistogramAlgorithm { BLOCK_HISTO_SORT, BLOCK_HISTO_ATOMIC };
// Counts how often each bin is given. The storage takes part where the algorithm sorts.
template <class T, int X, int N, int B, BlockHistogramAlgorithm A = BLOCK_HISTO_SORT, int Y = 1, int Z = 1, int P = 0>
struct BlockHistogram {
  struct TempStorage { int met[X * Y * Z]; };
  int *met;
  __device__ explicit BlockHistogram(TempStorage &storage) : met(storage.met) {}
  template <class C> __device__ void InitHistogram(C (&bins)[B]) {
    for (int bin = gridlock_rank(); bin < B; bin += X * Y * Z)
      bins[bin] = 0;
  }
  template <class C> __device__ void Composite(T (&items)[N], C (&bins)[B]) {
    if constexpr (A == BLOCK_HISTO_SORT) {
      met[gridlock_rank()] = 0;
      __syncthreads();
      int last = met[0];
    }
    for (int i = 0; i < N; i++)
      atomicAdd(&bins[items[i]], 1);
  }
  template <class C> __device__ void Histogram(T (&items)[N], C (&bins)[B]) {
    InitHistogram(bins);
    __syncthreads();
    Composite(items, bins);
  }
};

template <class T, int N, int W = 32, int P = 0> struct WarpExchange {
  struct TempStorage { T given[W * N]; };
  T *given;
  __device__ explicit WarpExchange(TempStorage &storage) : given(storage.given) {}
  static __device__ void Meet() {
    __syncwarp(cooperative_groups::gridlock_lanes(cooperative_groups::thread_block_tile<W>()));
  }
  template <class O> __device__ void StripedToBlocked(const T (&items)[N], O (&results)[N]) {
    int rank = gridlock_rank() % W;
    for (int i = 0; i < N; i++)
      given[rank + i * W] = items[i];
    Meet();
    for (int i = 0; i < N; i++)
      results[i] = given[rank * N + i];
    T last = given[0];
  }
  template <class O> __device__ void BlockedToStriped(const T (&items)[N], O (&results)[N]) {
    int rank = gridlock_rank() % W;
    for (int i = 0; i < N; i++)
      given[rank * N + i] = items[i];
    Meet();
    for (int i = 0; i < N; i++)
      results[i] = given[rank + i * W];
    T last = given[0];
  }
};
template <class T, int N = 32, int P = 0> struct WarpReduce {
  struct TempStorage { T given[N]; };
  T *given;
  __device__ explicit WarpReduce(TempStorage &storage) : given(storage.given) {}
  template <class F> __device__ T Reduce(T value, F both, int n) {
    int rank = gridlock_rank() % N;
    given[rank] = value;
    __syncwarp(cooperative_groups::gridlock_lanes(cooperative_groups::thread_block_tile<N>()));
    T result;
    if (rank == 0) {
      T sum = value;
      for (int i = 1; i < n; i++)
        sum = both(sum, given[i]);
      result = sum;
    }
    return result;
  }
  template <class F> __device__ T Reduce(T value, F both) { return Reduce(value, both, N); }
  __device__ T Sum(T value) { return Reduce(value, cub::Sum(), N); }
  __device__ T Sum(T value, int n) { return Reduce(value, cub::Sum(), n); }
};
template <class T, int N = 32, int P = 0> struct WarpScan {
  struct TempStorage { T given[N]; };
  T *given;
  __device__ explicit WarpScan(TempStorage &storage) : given(storage.given) {}
  template <class F> __device__ void InclusiveScan(T value, T &result, F both) {
    int rank = gridlock_rank() % N;
    given[rank] = value;
    __syncwarp(cooperative_groups::gridlock_lanes(cooperative_groups::thread_block_tile<N>()));
    T sum = given[0];
    for (int i = 1; i <= rank; i++)
      sum = both(sum, given[i]);
    result = sum;
  }
  template <class F> __device__ void ExclusiveScan(T value, T &result, T first, F both) {
    int rank = gridlock_rank() % N;
    given[rank] = value;
    __syncwarp(cooperative_groups::gridlock_lanes(cooperative_groups::thread_block_tile<N>()));
    T sum = first;
    for (int i = 0; i < rank; i++)
      sum = both(sum, given[i]);
    result = sum;
  }
  template <class F> __device__ void InclusiveScan(T value, T &result, F both, T &all) {
    InclusiveScan(value, result, both);
    T sum = given[0];
    for (int i = 1; i < N; i++)
      sum = both(sum, given[i]);
    all = sum;
  }
  template <class F> __device__ void ExclusiveScan(T value, T &result, T first, F both, T &all) {
    ExclusiveScan(value, result, first, both);
    T sum = given[0];
    for (int i = 1; i < N; i++)
      sum = both(sum, given[i]);
    all = sum;
  }
  __device__ void InclusiveSum(T value, T &result) { InclusiveScan(value, result, cub::Sum()); }
  __device__ void ExclusiveSum(T value, T &result) { ExclusiveScan(value, result, T(), cub::Sum()); }
  __device__ void InclusiveSum(T value, T &result, T &all) { InclusiveScan(value, result, cub::Sum(), all); }
  __device__ void ExclusiveSum(T value, T &result, T &all) { ExclusiveScan(value, result, T(), cub::Sum(), all); }
};
// Of the whole device: called by host code, and refused by name.
#pragma clang force_cuda_host_device begin
struct DeviceReduce {
  template <class... A> static cudaError_t Sum(A &&...);
  template <class... A> static cudaError_t Max(A &&...);
  template <class... A> static cudaError_t Min(A &&...);
  template <class... A> static cudaError_t ArgMax(A &&...);
  template <class... A> static cudaError_t ArgMin(A &&...);
  template <class... A> static cudaError_t Reduce(A &&...);
  template <class... A> static cudaError_t ReduceByKey(A &&...);
};
struct DeviceScan {
  template <class... A> static cudaError_t ExclusiveSum(A &&...);
  template <class... A> static cudaError_t InclusiveSum(A &&...);
  template <class... A> static cudaError_t ExclusiveScan(A &&...);
  template <class... A> static cudaError_t InclusiveScan(A &&...);
};
struct DeviceRadixSort {
  template <class... A> static cudaError_t SortKeys(A &&...);
  template <class... A> static cudaError_t SortPairs(A &&...);
  template <class... A> static cudaError_t SortKeysDescending(A &&...);
  template <class... A> static cudaError_t SortPairsDescending(A &&...);
};
struct DeviceSelect {
  template <class... A> static cudaError_t Flagged(A &&...);
  template <class... A> static cudaError_t If(A &&...);
  template <class... A> static cudaError_t Unique(A &&...);
};
struct DeviceHistogram {
  template <class... A> static cudaError_t HistogramEven(A &&...);
  template <class... A> static cudaError_t HistogramRange(A &&...);
};
struct DeviceRunLengthEncode {
  template <class... A> static cudaError_t Encode(A &&...);
};
struct DeviceSegmentedReduce {
  template <class... A> static cudaError_t Sum(A &&...);
  template <class... A> static cudaError_t Max(A &&...);
  template <class... A> static cudaError_t Min(A &&...);
  template <class... A> static cudaError_t Reduce(A &&...);
  template <class... A> static cudaError_t ArgMax(A &&...);
};
struct DeviceSegmentedRadixSort {
  template <class... A> static cudaError_t SortKeys(A &&...);
  template <class... A> static cudaError_t SortPairs(A &&...);
};
struct DevicePartition {
  template <class... A> static cudaError_t Flagged(A &&...);
  template <class... A> static cudaError_t If(A &&...);
};
#pragma clang force_cuda_host_device end
}
#endif
