// What is assumed of contents is met at any size.
__global__ void place(const int *to, int *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    __requires(to[i] > 1000);
    out[to[i]] = i;
}
