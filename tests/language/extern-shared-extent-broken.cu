// gridlock: verdict = refuted
// gridlock: kind = uninitialised-read, data-race
// gridlock: grid = 2
// gridlock: block = 64
// gridlock: extent = in=128
// gridlock: extent = out=128
// gridlock: why = nothing orders what the two functions do to the row they share

__device__ int opposite(int lane)
{
    extern __shared__ int row[64];
    return row[63 - lane]; // <-- guilty
}

__global__ void reverse(const int *in, int *out)
{
    extern __shared__ int row[64];
    int i = blockIdx.x * 64 + threadIdx.x;
    row[threadIdx.x] = in[i]; // <-- guilty
    out[i] = opposite(threadIdx.x);
}
