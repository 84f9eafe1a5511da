// launch: --grid 1 --block 32 --arg j=4 --arg k=8
// after: proved
// wrong: refuted

// A step of a bitonic sort: by exchange, and by minimum and maximum of both partners.
__global__ void before(int *a, int j, int k)
{
    int i = threadIdx.x, other = i ^ j;
    if (other > i && ((i & k) == 0) == (a[i] > a[other])) {
        int kept = a[i];
        a[i] = a[other];
        a[other] = kept;
    }
}
#define BY_MINIMUM(UP) \
    int i = threadIdx.x; \
    int own = a[i], other = __shfl_xor_sync(0xffffffffu, own, j); \
    bool up = UP, low = (i & j) == 0; \
    a[i] = up == low ? min(own, other) : max(own, other);
__global__ void after(int *a, int j, int k) { BY_MINIMUM((i & k) == 0) }
__global__ void wrong(int *a, int j, int k) { BY_MINIMUM((i & k) == 0 || i >= 28) }
