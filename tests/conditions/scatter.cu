// condition: gridDim.x * blockDim.x == 1
// What is written where hangs on the contents of `at`: only one thread is safe.
__global__ void scatter(const int *at, int *out)
{
    out[at[blockIdx.x * blockDim.x + threadIdx.x] & 3] = threadIdx.x;
}
