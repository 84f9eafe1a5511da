// gridlock: verdict = passed
// gridlock: grid = 1
// gridlock: block = 2
// gridlock: extent = out=2
// gridlock: why = all have read before one of them goes on alone

__global__ void shifted(int *out)
{
    __shared__ int s[2];
    s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = s[1];
    __syncthreads();
    for (int i = 0; i < threadIdx.x; i++) {
        asm volatile("bar.sync 2;" ::: "memory");
        s[1] = s[threadIdx.x] + 1;
    }
}
