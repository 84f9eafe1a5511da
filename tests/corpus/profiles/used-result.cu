// gridlock: verdict = passed
// gridlock: grid = 2
// gridlock: block = 2
// gridlock: why = nobody looks at what an atomic addition returns

__global__ void count(const int *in, int *total)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (in[i] > 0)
        atomicAdd(total, 1);
}
