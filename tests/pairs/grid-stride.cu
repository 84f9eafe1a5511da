// launch: --a-grid 8 --b-grid 2 --block 32 --arg n=250
// after: proved
// wrong: refuted

// A loop over the grid; as many blocks as there are processors.
__global__ void before(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i] * in[i];
}
#define STRIDED(STEP) \
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += STEP) out[i] = in[i] * in[i];
__global__ void after(const int *in, int *out, int n) { STRIDED(gridDim.x * blockDim.x) }
__global__ void wrong(const int *in, int *out, int n) { STRIDED(gridDim.x * blockDim.x * 2) }
