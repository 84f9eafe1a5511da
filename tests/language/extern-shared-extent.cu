// gridlock: verdict = proved
// gridlock: grid = 2
// gridlock: block = 64
// gridlock: extent = in=128
// gridlock: extent = out=128
// gridlock: why = with its extent in the type the memory is not the launch's; both functions mean one row

__device__ int opposite(int lane)
{
    extern __shared__ int row[64];
    return row[63 - lane];
}

__global__ void reverse(const int *in, int *out)
{
    extern __shared__ int row[64];
    int i = blockIdx.x * 64 + threadIdx.x;
    row[threadIdx.x] = in[i];
    __syncthreads();
    out[i] = opposite(threadIdx.x);
}
