__global__ void k(const int *in, int *out)
{
    __shared__ int cell[16];
    int t = threadIdx.x;
    cell[t] = in[t];
    __syncthreads();
    if (t < 6) {
        cell[t + 10] = 0;
    }
    __syncthreads();
    out[t] = cell[t];
}
