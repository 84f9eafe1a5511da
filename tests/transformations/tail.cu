__global__ void k(const int *in, int *out)
{
    __shared__ int cell[64];
    int t = threadIdx.x;
    cell[t] = 0;
    __syncthreads();
    if (t < 48) {
        cell[t] = in[t];
    }
    __syncthreads();
    if (t < 48) {
        out[t] = cell[47 - t];
    }
}
