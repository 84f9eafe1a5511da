// launch: --grid 1 --block 32
// after: proved
// wrong: refuted

// Two buffers in turn.
__global__ void before(const int *in, int *out)
{
    int sum = 0;
    for (int k = 0; k <= (int)threadIdx.x; k++) sum += in[k];
    out[threadIdx.x] = sum;
}
#define IN_TURN(NEXT) \
    __shared__ int s[2][32]; \
    int t = threadIdx.x, from = 0; \
    s[0][t] = in[t]; \
    __syncthreads(); \
    for (int step = 1; step < 32; step *= 2) { \
        s[NEXT][t] = t >= step ? s[from][t] + s[from][t - step] : s[from][t]; \
        from = 1 - from; \
        __syncthreads(); \
    } \
    out[t] = s[from][t];
__global__ void after(const int *in, int *out) { IN_TURN(1 - from) }
// In one buffer: what is read may be new.
__global__ void wrong(const int *in, int *out) { IN_TURN(step == 4 ? from : 1 - from) }
