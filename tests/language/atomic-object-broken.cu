// gridlock: verdict = refuted
// gridlock: kind = data-race
// gridlock: grid = 2
// gridlock: block = 32
// gridlock: extent = in=64
// gridlock: extent = counts=4
// gridlock: why = the scope of a block does not reach the other block

#include <cuda/atomic>

__global__ void histogram(const unsigned *in, int *counts)
{
    cuda::atomic_ref<int, cuda::thread_scope_block> count(counts[in[blockIdx.x * 32 + threadIdx.x] % 4]);
    count.fetch_add(1, cuda::memory_order_relaxed); // <-- guilty
}
