// gridlock: verdict = refuted
// gridlock: kind = barrier-divergence
// gridlock: profile = cuda, portable
// gridlock: grid = 2
// gridlock: block = 8
// gridlock: arg = w=12
// gridlock: extent = in=w
// gridlock: extent = out=2
// gridlock: few-grid = 1
// gridlock: few-block = 2
// gridlock: few-arg = w=1
// gridlock: why = only a part of the last block meets the barrier, against the CUDA guide

__global__ void block_sums(const int *in, int *out, int w)
{
    __shared__ int cell[8];
    int t = threadIdx.x;
    int j = blockIdx.x * blockDim.x + t;
    if (j < w) {
        cell[t] = in[j];
        __syncthreads(); // <-- guilty
        if (t == 0) {
            int sum = 0;
            for (int k = 0; k < blockDim.x && blockIdx.x * blockDim.x + k < w; k++)
                sum += cell[k];
            out[blockIdx.x] = sum;
        }
    }
}
