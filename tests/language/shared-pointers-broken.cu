// gridlock: verdict = refuted
// gridlock: kind = data-race
// gridlock: block = 16
// gridlock: extent = a=16
// gridlock: extent = b=16
// gridlock: why = the pointers are swapped while others still read them

__device__ void swap(float **x, float **y)
{
    float *z = *x;
    *x = *y;
    *y = z;
}

__global__ void alternate(float *a, float *b)
{
    __shared__ float *buffers[2];
    int t = threadIdx.x;
    if (t == 0) {
        buffers[0] = a;
        buffers[1] = b;
    }
    __syncthreads();
    for (int round = 0; round < 2; round++) {
        buffers[1][t] = buffers[0][(t + 1) % blockDim.x]; // <-- guilty
        if (t == 0)
            swap(&buffers[0], &buffers[1]);
        __syncthreads();
    }
}
