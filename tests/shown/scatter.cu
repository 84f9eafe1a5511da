// Two elements may go to one place: nothing says that `to` is a permutation.
__global__ void scatter(float *out, const int *to, const float *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[to[i]] = in[i];
}
