// What only CUDA has: warp barriers, fences beyond the block.

__global__ void warp_sum(const int *in, int *out)
{
    __shared__ int sums[64];
    int t = threadIdx.x;
    sums[t] = in[blockIdx.x * blockDim.x + t];
    __syncthreads();
    if (t < 32) {
        for (int d = 32; d > 0; d /= 2) {
            int other = sums[t + d];
            __syncwarp();
            sums[t] += other;
            __syncwarp(0xffffffffu);
        }
    }
    if (t == 0) {
        out[blockIdx.x] = sums[0];
        __threadfence();
    }
}
