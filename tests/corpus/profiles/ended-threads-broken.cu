// gridlock: verdict = refuted
// gridlock: kind = barrier-divergence
// gridlock: profile = cuda
// gridlock: block = 32
// gridlock: arg = n=20
// gridlock: few-block = 2
// gridlock: few-arg = n=1
// gridlock: why = the guide of CUDA demands that all threads meet the barrier

__global__ void smooth(const int *in, int *out, int n)
{
    __shared__ int tile[32];
    int t = threadIdx.x;
    if (t < n) {
        tile[t] = in[t];
        __syncthreads(); // <-- guilty
        out[t] = tile[t] + tile[n - 1 - t];
    }
}
