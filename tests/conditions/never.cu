// condition: never
__global__ void early(int *out)
{
    __shared__ int s[1024];
    out[blockIdx.x * blockDim.x + threadIdx.x] = s[threadIdx.x];
}
