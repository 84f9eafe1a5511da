// launch: --grid 2 --block 32 --contents out=zero
// after: proved
// wrong: refuted

// A strided sum for each thread, added up by an atomic.
__global__ void before(const int *in, int *out)
{
    if (blockIdx.x != 0 || threadIdx.x != 0) return;
    int sum = 0;
    for (int k = 0; k < 256; k++) sum += in[k];
    out[0] += sum;
}
#define STRIDED(LAST) \
    int sum = 0; \
    for (int k = blockIdx.x * blockDim.x + threadIdx.x; k < LAST; k += gridDim.x * blockDim.x) sum += in[k]; \
    atomicAdd(out, sum);
__global__ void after(const int *in, int *out) { STRIDED(256) }
__global__ void wrong(const int *in, int *out) { STRIDED(255) }
