// gridlock: verdict = passed
// gridlock: profile = cuda-hw
// gridlock: block = 32
// gridlock: arg = n=20
// gridlock: few-block = 2
// gridlock: few-arg = n=1
// gridlock: why = on hardware a thread that has ended no longer counts at barriers

__global__ void smooth(const int *in, int *out, int n)
{
    __shared__ int tile[32];
    int t = threadIdx.x;
    if (t < n) {
        tile[t] = in[t];
        __syncthreads();
        out[t] = tile[t] + tile[n - 1 - t];
    }
}
