// gridlock: verdict = passed
// gridlock: block = 32
// gridlock: why = bytes of shared memory are cleared as words and then written one by one

__global__ void pack(unsigned int *out, const unsigned char *in)
{
    __shared__ unsigned char bytes[32];
    int t = threadIdx.x;
    if (t < 8)
        ((unsigned int *)bytes)[t] = 0;
    __syncthreads();
    bytes[t] = in[t];
    __syncthreads();
    if (t < 8)
        out[t] = ((unsigned int *)bytes)[t];
}
