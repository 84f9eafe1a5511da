// A race in shared memory that nobody reads again.
__global__ void unread(int *out)
{
    __shared__ int last;
    last = threadIdx.x;
    out[blockIdx.x * blockDim.x + threadIdx.x] = threadIdx.x;
}
