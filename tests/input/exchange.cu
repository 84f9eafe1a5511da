// Two threads exchange numbers through an array, with a barrier between.
__global__ void exchange(int *x)
{
    x[threadIdx.x] = 1;
    __syncthreads();
    x[2 + threadIdx.x] = x[1 - threadIdx.x];
}
