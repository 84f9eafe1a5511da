// Twice, each cell of a block gets its neighbour's value added.
__global__ void neighbours(const int *in, int *out) {
    __shared__ int cell[64];
    int t = threadIdx.x;
    cell[t] = in[t];
    __syncthreads();
    int next = cell[(t + 1) % blockDim.x];
    __syncthreads();
    cell[t] = cell[t] + next;
    __syncthreads();
    next = cell[(t + 1) % blockDim.x];
    __syncthreads();
    cell[t] = cell[t] + next;
    __syncthreads();
    out[t] = cell[t];
}
