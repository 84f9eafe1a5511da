// The repaired twin of divergent.cu: every thread meets the barrier, whatever n is.

__global__ void smooth(const int *in, int *out, int n)
{
    __shared__ int tile[1024];
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    tile[t] = i < n ? in[i] : 0;
    __syncthreads();
    if (i < n) {
        int left = t > 0 ? tile[t - 1] : 0;
        out[i] = left + tile[t];
    }
}
