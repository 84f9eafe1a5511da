__global__ void copy(float *out, const float *in, unsigned short pitch)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    if (t < 64)
        s[t] = in[t * pitch];
    __syncthreads();
    if (t < 64)
        out[blockIdx.x * blockDim.x + t] = s[t];
}
