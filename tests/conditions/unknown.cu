// condition: unknown
// seconds: 2
// Nobody raises the flag, no square is 2 modulo 4, and the count that says so grows for ever.
__device__ volatile int flag;
__global__ void wait(int *out)
{
    unsigned tries = 0;
    while (tries * tries % 4 != flag + 2)
        tries++;
    out[blockIdx.x * blockDim.x + threadIdx.x] = tries;
}
