// launch: --grid 1 --block 8
// after: proved
// wrong: refuted

// Rows before columns, columns before rows: sums of integers.
__global__ void before(const int *a, int *sums)
{
    int sum = 0;
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 8; j++) sum += a[i * 64 + j * 8 + threadIdx.x];
    sums[threadIdx.x] = sum;
}
#define EXCHANGED(FIRST) \
    int sum = 0; \
    for (int j = 7; j >= 0; j--) \
        for (int i = FIRST; i < 8; i++) sum += a[i * 64 + j * 8 + threadIdx.x]; \
    sums[threadIdx.x] = sum;
__global__ void after(const int *a, int *sums) { EXCHANGED(0) }
__global__ void wrong(const int *a, int *sums) { EXCHANGED((j == 0)) }
