// condition: blockDim.x <= 64
__global__ void sum(const int *in, int *out)
{
    __shared__ int s[64];
    s[threadIdx.x] = in[blockIdx.x * blockDim.x + threadIdx.x];
    __syncthreads();
    if (threadIdx.x == 0) {
        int sum = 0;
        for (int i = 0; i < blockDim.x; i++)
            sum += s[i];
        out[blockIdx.x] = sum;
    }
}
