// The other way round: who reads one place twice harms nobody.
__global__ void gather(float *out, const int *from, const float *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[from[i]];
}
