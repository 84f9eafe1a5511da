// gridlock: verdict = passed
// gridlock: grid = 2
// gridlock: block = 256
// gridlock: arg = n=500
// gridlock: few-block = 2
// gridlock: why = every lane comes to every shuffle, those beyond the array with zero

__global__ void warp_sum(const int *in, int *total, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int v = i < n ? in[i] : 0;
    for (int offset = 16; offset > 0; offset /= 2)
        v += __shfl_down_sync(0xffffffff, v, offset);
    if (threadIdx.x % warpSize == 0)
        atomicAdd(total, v);
}
