__device__ int at(const int *table, int i)
{
    return table[i * 2];
}

__global__ void look(int *out, const int *order)
{
    __shared__ int table[8];
    int t = threadIdx.x;
    table[t] = order[t];
    for (int round = 0; round < 2; round++) {
        __syncthreads();
        out[t] = at(table, order[t]);
        table[t] = round;
    }
}
