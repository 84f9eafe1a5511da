// gridlock: verdict = refuted
// gridlock: kind = barrier-divergence
// gridlock: grid = 2
// gridlock: block = 32
// gridlock: arg = n=40
// gridlock: few-grid = 1
// gridlock: few-block = 2
// gridlock: few-arg = n=1
// gridlock: why = the last threads skip the barrier and run on to the end instead of returning before it

__global__ void guarded(const int *in, int *out, int n)
{
    __shared__ int cell[32];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        cell[threadIdx.x] = in[i];
        __syncthreads(); // <-- guilty
        out[i] = cell[threadIdx.x] + cell[0];
    }
}
