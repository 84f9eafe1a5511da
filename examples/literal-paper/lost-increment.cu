// Two threads exchange their numbers through shared memory, with a barrier between store and load.

__global__ void exchange(int *out)
{
    __shared__ int cell[2];
    int t = threadIdx.x;
    cell[t] = t + 1;
    __syncthreads();
    out[t] = cell[1 - t];
}
