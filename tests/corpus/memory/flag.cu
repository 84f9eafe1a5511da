// gridlock: verdict = passed
// gridlock: grid = 1
// gridlock: block = 2
// gridlock: why = the barrier of the block orders the data; no flag is needed

__device__ int data;

__global__ void flag(int *out)
{
    if (threadIdx.x == 0)
        data = 42;
    __syncthreads();
    if (threadIdx.x == 1)
        out[0] = data;
}
