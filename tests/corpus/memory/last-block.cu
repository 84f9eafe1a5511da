// gridlock: verdict = passed
// gridlock: grid = 2
// gridlock: block = 2
// gridlock: why = fences on both sides of the ticket order the partial sums before their reading

__device__ unsigned int done;
__device__ int partial[2];

__global__ void sum(const int *in, int *out)
{
    __shared__ bool last;
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = in[blockIdx.x];
        __threadfence();
        unsigned int ticket = atomicInc(&done, gridDim.x);
        __threadfence();
        last = ticket == gridDim.x - 1;
    }
    __syncthreads();
    if (last && threadIdx.x == 1)
        out[0] = partial[0] + partial[1];
}
