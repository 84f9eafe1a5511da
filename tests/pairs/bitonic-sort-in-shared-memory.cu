// launch: --grid 1 --block 8
// after: proved
// wrong: refuted

// A whole sort of 16 in place and in shared memory.
#define SORTED(A, AT) \
    for (int k = 2; k <= 16; k *= 2) \
        for (int j = k / 2; j > 0; j /= 2) { \
            int i = 2 * AT - (AT & (j - 1)); \
            int x = A[i], y = A[i + j]; \
            bool swap = ((i & k) == 0) == (x > y); \
            A[i] = swap ? y : x; \
            A[i + j] = swap ? x : y; \
            __syncthreads(); \
        }
__global__ void before(int *a)
{
    int t = threadIdx.x;
    SORTED(a, t)
}
#define SHARED(LAST) \
    __shared__ int s[16]; \
    int t = threadIdx.x; \
    s[t] = a[t]; \
    s[t + 8] = a[t + 8]; \
    __syncthreads(); \
    SORTED(s, t) \
    a[t] = s[t]; \
    a[t + 8] = s[LAST];
__global__ void after(int *a) { SHARED(t + 8) }
__global__ void wrong(int *a) { SHARED((t == 7 ? 14 : t + 8)) }
