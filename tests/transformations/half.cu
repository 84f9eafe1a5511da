__global__ void k(const int *in, int *out)
{
    __shared__ int cell[128];
    int t = threadIdx.x;
    cell[t] = 0;
    __syncthreads();
    if (t < 64) {
        cell[t] = in[t];
    }
    __syncthreads();
    if (t < 64) {
        out[t] = cell[63 - t];
    }
}
