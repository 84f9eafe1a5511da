// gridlock: verdict = refuted
// gridlock: kind = data-race
// gridlock: grid = 2
// gridlock: block = 8
// gridlock: arg = group=11
// gridlock: extent = x=22
// gridlock: extent = q=22
// gridlock: extent = scales=2
// gridlock: few-grid = 1
// gridlock: few-block = 2
// gridlock: few-arg = group=3
// gridlock: why = the maximum of the group may be cleared after a thread has taken part in it

// Symmetric quantisation to 8 bits, one scale a group; samples are fixed-point integers.

__global__ void quantize_q8(const int *__restrict__ x, signed char *__restrict__ q, int *__restrict__ scales,
                            int group)
{
    __shared__ int amax;
    const int *xs = x + blockIdx.x * group;
    signed char *qs = q + blockIdx.x * group;

    if (threadIdx.x == 0)
        amax = 1; // <-- guilty

    int mine = 0;
    for (int i = threadIdx.x; i < group; i += blockDim.x)
        mine = max(mine, abs(xs[i]));
    atomicMax(&amax, mine);
    __syncthreads();

    const int scale = amax;
    if (threadIdx.x == 0)
        scales[blockIdx.x] = scale;
    for (int i = threadIdx.x; i < group; i += blockDim.x)
        qs[i] = (signed char)(xs[i] * 127 / scale);
}
