__global__ void reversed(int *out, const int *in)
{
    __shared__ int s[64];
    int i = blockIdx.x * 64 + threadIdx.x;
    s[threadIdx.x] = in[i];
    __syncthreads();
    out[i] = s[63 - threadIdx.x];
}
