__global__ void neighbour(const int *a, int *out)
{
    unsigned t = threadIdx.x;
    out[t] = a[t - 1];
}
