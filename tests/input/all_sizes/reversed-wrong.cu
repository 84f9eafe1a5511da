__global__ void reversed(int *out, const int *in)
{
    __shared__ int s[128];
    int t = threadIdx.x;
    s[2 * t] = in[blockIdx.x * 64 + t];
    __syncthreads();
    out[blockIdx.x * 64 + t] = s[124 - 2 * t + (t == 63 ? 2 : 0)];
}
