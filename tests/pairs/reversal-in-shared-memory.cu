// launch: --grid 2 --block 32
// after: proved
// wrong: refuted

// A block turns its part round.
__global__ void before(const float *in, float *out)
{
    out[blockIdx.x * 32 + threadIdx.x] = in[blockIdx.x * 32 + 31 - threadIdx.x];
}
#define TURNED(BARRIER) \
    __shared__ float s[32]; \
    s[threadIdx.x] = in[blockIdx.x * 32 + threadIdx.x]; \
    BARRIER; \
    out[blockIdx.x * 32 + threadIdx.x] = s[31 - threadIdx.x];
__global__ void after(const float *in, float *out) { TURNED(__syncthreads()) }
__global__ void wrong(const float *in, float *out) { TURNED() }
