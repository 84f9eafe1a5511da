// launch: --grid 1 --a-block 32 --b-block 16
// after: proved
// wrong: refuted

// Up and down a tree; exclusive.
__global__ void before(const int *in, int *out)
{
    int sum = 0;
    for (int k = 0; k < (int)threadIdx.x; k++) sum += in[k];
    out[threadIdx.x] = sum;
}
#define UP_AND_DOWN(ROOT) \
    __shared__ int s[32]; \
    int t = threadIdx.x; \
    s[2 * t] = in[2 * t]; \
    s[2 * t + 1] = in[2 * t + 1]; \
    for (int step = 1; step < 32; step *= 2) { \
        __syncthreads(); \
        int at = (2 * t + 2) * step - 1; \
        if (at < 32) s[at] += s[at - step]; \
    } \
    __syncthreads(); \
    if (t == 0) s[31] = ROOT; \
    for (int step = 16; step > 0; step /= 2) { \
        __syncthreads(); \
        int at = (2 * t + 2) * step - 1; \
        if (at < 32) { int left = s[at - step]; s[at - step] = s[at]; s[at] += left; } \
    } \
    __syncthreads(); \
    out[2 * t] = s[2 * t]; \
    out[2 * t + 1] = s[2 * t + 1];
__global__ void after(const int *in, int *out) { UP_AND_DOWN(0) }
// Of one value in 2^32.
__global__ void wrong(const int *in, int *out) { UP_AND_DOWN(in[0] == 123456789) }
