// condition: unknown
// seconds: 2
// Nobody raises the flag, and the count grows for ever.
__device__ volatile int flag;
__global__ void wait(int *out)
{
    int tries = 0;
    while (flag == 0)
        tries++;
    out[blockIdx.x * blockDim.x + threadIdx.x] = tries;
}
