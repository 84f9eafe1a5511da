// gridlock: verdict = passed
// gridlock: block = 32
// gridlock: shared-bytes = 256
// gridlock: why = the second array starts where the first ends, at a multiple of its elements' size

__global__ void carve(const float *in, int *out)
{
    extern __shared__ unsigned char room[];
    float *values = (float *)room;
    int *order = (int *)(room + blockDim.x * sizeof(float));
    int t = threadIdx.x;
    values[t] = in[t];
    order[t] = t;
    __syncthreads();
    out[t] = order[(t + 1) % blockDim.x] + (values[blockDim.x - 1 - t] > 0.5f);
}
