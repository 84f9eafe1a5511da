// gridlock: verdict = passed
// gridlock: profile = cuda-hw, lockstep-warp
// gridlock: grid = 2
// gridlock: block = 8
// gridlock: arg = w=12
// gridlock: extent = in=w
// gridlock: extent = out=2
// gridlock: few-grid = 1
// gridlock: few-block = 2
// gridlock: few-arg = w=1
// gridlock: why = on hardware a thread that has ended no longer counts at barriers

__global__ void block_sums(const int *in, int *out, int w)
{
    __shared__ int cell[8];
    int t = threadIdx.x;
    int j = blockIdx.x * blockDim.x + t;
    if (j < w) {
        cell[t] = in[j];
        __syncthreads();
        if (t == 0) {
            int sum = 0;
            for (int k = 0; k < blockDim.x && blockIdx.x * blockDim.x + k < w; k++)
                sum += cell[k];
            out[blockIdx.x] = sum;
        }
    }
}
