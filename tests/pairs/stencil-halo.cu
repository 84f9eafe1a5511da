// launch: --grid 2 --block 32
// after: proved
// wrong: refuted

// A block's part with its neighbours in shared memory.
__global__ void before(const float *in, float *out)
{
    int i = blockIdx.x * 32 + threadIdx.x + 1;
    out[i] = 0.25f * in[i - 1] + 0.5f * in[i] + 0.25f * in[i + 1];
}
#define WITH_HALO(LAST) \
    __shared__ float s[34]; \
    int t = threadIdx.x + 1, i = blockIdx.x * 32 + t; \
    s[t] = in[i]; \
    if (t == 1) s[0] = in[i - 1]; \
    if (t == LAST) s[33] = in[blockIdx.x * 32 + 33]; \
    __syncthreads(); \
    out[i] = 0.25f * s[t - 1] + 0.5f * s[t] + 0.25f * s[t + 1];
__global__ void after(const float *in, float *out) { WITH_HALO(32) }
// Nobody fetches the last one.
__global__ void wrong(const float *in, float *out) { WITH_HALO(33) }
