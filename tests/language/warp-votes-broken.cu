// gridlock: verdict = refuted
// gridlock: kind = deadlock
// gridlock: grid = 1
// gridlock: block = 32
// gridlock: why = only half of the lanes come to the vote

__global__ void votes(int *a, int *sum)
{
    int value = a[threadIdx.x];
    for (int offset = 16; offset > 0; offset /= 2)
        value += __shfl_down(value, offset);
    if (threadIdx.x < 16 && __any(value > 0) && threadIdx.x == 0)
        sum[0] = value;
    __syncthreads();
}
