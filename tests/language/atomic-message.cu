// gridlock: verdict = passed
// gridlock: grid = 1
// gridlock: block = 2
// gridlock: extent = out=1
// gridlock: why = who reads the flag in the order of acquiring sees what came before the release

#include <cuda/atomic>

__global__ void message(int *out)
{
    __shared__ cuda::atomic<int, cuda::thread_scope_block> flag;
    __shared__ int data;
    if (threadIdx.x == 0)
        flag.exchange(0, cuda::memory_order_relaxed);
    __syncthreads();
    if (threadIdx.x == 0) {
        data = 7;
        flag.exchange(1, cuda::memory_order_release);
    } else {
        if (flag.load(cuda::memory_order_acquire) == 1) {
            out[0] = data;
            assert(data == 7);
        }
    }
}
