// gridlock: verdict = refuted
// gridlock: kind = data-race
// gridlock: grid = 1
// gridlock: block = 64
// gridlock: extent = in=128
// gridlock: extent = out=32
// gridlock: contents = in=range:0:1
// gridlock: why = the other warp says that it has left a stage before it has

#include <cuda/barrier>
using barrier = cuda::barrier<cuda::thread_scope_block>;

__device__ void fill(barrier &ready, barrier &filled, int *stage, int value)
{
    ready.arrive_and_wait();
    stage[threadIdx.x] = value;
    filled.arrive();
}

__global__ void sums(const int *in, int *out)
{
    __shared__ int s[2][32];
    __shared__ barrier ready[2], filled[2];
    int t = threadIdx.x;
    if (t < 2) {
        init(&ready[t], blockDim.x);
        init(&filled[t], blockDim.x);
    }
    __syncthreads();
    if (t < 32) {
        for (int i = 0; i < 4; i++)
            fill(ready[i % 2], filled[i % 2], s[i % 2], in[i * 32 + t]);
    } else {
        ready[0].arrive();
        ready[1].arrive();
        int sum = 0;
        for (int i = 0; i < 4; i++) {
            filled[i % 2].arrive_and_wait();
            if (i < 2)
                ready[i % 2].arrive();
            sum += s[i % 2][63 - t]; // <-- guilty
        }
        out[t - 32] = sum;
        assert(sum == 6 * 32 + 4 * (63 - t));
    }
}
