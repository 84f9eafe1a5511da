// gridlock: verdict = proved
// gridlock: grid = 2
// gridlock: block = 32
// gridlock: extent = in=64
// gridlock: extent = counts=4
// gridlock: why = counts of the whole grid are counted with the scope of the device

#include <cuda/atomic>

__global__ void histogram(const unsigned *in, int *counts)
{
    cuda::atomic_ref<int, cuda::thread_scope_device> count(counts[in[blockIdx.x * 32 + threadIdx.x] % 4]);
    count.fetch_add(1, cuda::memory_order_relaxed);
}
