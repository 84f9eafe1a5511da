__global__ void k(const int *in, int *out)
{
    __shared__ int cell[8];
    int t = threadIdx.x;
    if (t < 4) {
        cell[t] = in[t];
        out[t] = cell[t];
    }
}
