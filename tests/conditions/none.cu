// condition: none
// Remainders are no conditions of the grammar.
__global__ void odd(int *out)
{
    if (blockDim.x % 7 == 3 || blockDim.x % 7 == 4)
        out[blockIdx.x] = threadIdx.x;
    else
        out[blockIdx.x * blockDim.x + threadIdx.x] = threadIdx.x;
}
