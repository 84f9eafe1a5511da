// launch: --grid 2 --block 32
// after: passed
// wrong: refuted

// Each block counts for itself.
__global__ void before(const unsigned *in, unsigned *counts)
{
    atomicAdd(&counts[in[blockIdx.x * 32 + threadIdx.x] % 8], 1u);
}
#define BY_BLOCKS(FIRST) \
    __shared__ unsigned s[8]; \
    if (threadIdx.x < 8) s[threadIdx.x] = FIRST; \
    __syncthreads(); \
    atomicAdd(&s[in[blockIdx.x * 32 + threadIdx.x] % 8], 1u); \
    __syncthreads(); \
    if (threadIdx.x < 8) atomicAdd(&counts[threadIdx.x], s[threadIdx.x]);
__global__ void after(const unsigned *in, unsigned *counts) { BY_BLOCKS(0) }
__global__ void wrong(const unsigned *in, unsigned *counts) { BY_BLOCKS(threadIdx.x == 7) }
