__global__ void k(const int *in, int *out)
{
    __shared__ int cell[8];
    int t = threadIdx.x;
    cell[t] = 0;
    __syncthreads();
    for (int i = t; i < 8; i += 8) {
        cell[i] = in[i];
    }
    __syncthreads();
    out[t] = cell[7 - t];
}
