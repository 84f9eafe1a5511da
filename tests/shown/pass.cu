// Nothing keeps the number of a pass from being -1.
__global__ void pass(float *out, const float *factor, int pass)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    if (t < 64)
        s[t] = factor[pass];
    __syncthreads();
    if (t == 0)
        out[blockIdx.x] = s[0];
}
