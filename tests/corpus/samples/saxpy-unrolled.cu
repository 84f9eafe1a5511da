// gridlock: verdict = proved
// gridlock: grid = 2
// gridlock: block = 4
// gridlock: arg = n=30
// gridlock: arg = a=2.5
// gridlock: extent = x=n
// gridlock: extent = y=n
// gridlock: few-grid = 1
// gridlock: few-block = 2
// gridlock: few-arg = n=5
// gridlock: why = each of the four elements of a thread is guarded

#define UNROLL 4

__global__ void saxpy4(int n, float a, const float *__restrict__ x, float *__restrict__ y)
{
    int base = blockIdx.x * blockDim.x * UNROLL + threadIdx.x;

#pragma unroll
    for (int u = 0; u < UNROLL; u++) {
        int i = base + u * blockDim.x;
        if (i < n)
            y[i] = a * x[i] + y[i];
    }
}
