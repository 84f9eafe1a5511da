// launch: --a-grid 4 --b-grid 1 --block 32 --arg n=120
// after: proved
// wrong: refuted

// Four cells for each thread of a quarter of the blocks.
__global__ void before(const float *x, float *y, float a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}
#define FOUR(LAST) \
    for (int k = 0; k < 4; k++) { \
        int i = k * blockDim.x + threadIdx.x; \
        if (i < LAST) y[i] = a * x[i] + y[i]; \
    }
__global__ void after(const float *x, float *y, float a, int n) { FOUR(n) }
__global__ void wrong(const float *x, float *y, float a, int n) { FOUR(n - (n > 119)) }
