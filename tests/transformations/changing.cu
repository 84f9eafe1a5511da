__global__ void k(const int *in, int *out)
{
    __shared__ int cell[8];
    int t = threadIdx.x;
    int u = 1;
    cell[t] = 0;
    if (u == 1) {
        u = 2;
        __syncthreads();
        out[t] = in[t];
    }
}
