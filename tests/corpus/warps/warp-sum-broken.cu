// gridlock: verdict = refuted
// gridlock: kind = uninitialised-read
// gridlock: grid = 1
// gridlock: block = 64
// gridlock: arg = n=40
// gridlock: few-block = 2
// gridlock: few-arg = n=3
// gridlock: profile = cuda
// gridlock: why = the lanes beyond the array have ended, and what is read from them is no value

__global__ void warp_sum(const int *in, int *total, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int v = in[i];
        for (int offset = 16; offset > 0; offset /= 2)
            v += __shfl_down_sync(0xffffffff, v, offset); // <-- guilty
        if (threadIdx.x % warpSize == 0)
            atomicAdd(total, v);
    }
}
