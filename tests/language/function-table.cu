// gridlock: verdict = passed
// gridlock: block = 8
// gridlock: extent = x=8
// gridlock: why = functions in constant and in shared memory, chosen by a number

typedef float (*function)(float);

__device__ float twice(float x) { return 2 * x; }
__device__ float less(float x) { return x - 1; }

__constant__ function table[2] = {twice, less};

__global__ void apply(float *x)
{
    __shared__ function chosen[2];
    int t = threadIdx.x;
    if (t < 2)
        chosen[t] = table[1 - t];
    __syncthreads();
    x[t] = chosen[t % 2](x[t]);
}
