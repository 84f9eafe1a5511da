// condition: blockDim.x <= 64 and blockDim.x is a power of two
// The same with a tile of 64 elements: two kinds of defects, a condition for each.
// kind: out-of-bounds: blockDim.x <= 64
// kind: uninitialised-read: blockDim.x is a power of two
__global__ void tree_sum(const int *in, int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = in[blockIdx.x * blockDim.x + t];
    __syncthreads();
    for (int d = 1; d < blockDim.x; d *= 2) {
        if (t % (2 * d) == 0)
            s[t] += s[t + d];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = s[0];
}
