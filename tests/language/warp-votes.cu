// gridlock: verdict = passed
// gridlock: grid = 1
// gridlock: block = 32
// gridlock: why = functions without a mask speak of all lanes of the warp

__global__ void votes(int *a, int *sum)
{
    int value = a[threadIdx.x];
    for (int offset = 16; offset > 0; offset /= 2)
        value += __shfl_down(value, offset);
    if (__any(value > 0) && threadIdx.x == 0)
        sum[0] = value;
    __syncthreads();
}
