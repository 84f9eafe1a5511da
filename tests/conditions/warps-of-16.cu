// condition: blockDim.x is a multiple of 16
__global__ void warps(int *out)
{
    __shared__ int s[1024];
    int t = threadIdx.x;
    s[t] = t;
    __syncthreads();
    if (t % 16 == 0) {
        int sum = 0;
        for (int i = 0; i < 16; i++)
            sum += s[t + i];
        out[blockIdx.x * blockDim.x + t] = sum;
    }
}
