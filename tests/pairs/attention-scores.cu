// launch: --grid 1 --block 4,8
// after: proved
// wrong: refuted
// modulo: assoc-comm

// Scores of queries and keys, by four threads for each.
__global__ void before(const float *q, const float *k, float *scores)
{
    if (threadIdx.x != 0) return;
    int row = threadIdx.y / 2, column = threadIdx.y % 2;
    float sum = 0.0f;
    for (int d = 0; d < 16; d++) sum += q[row * 16 + d] * k[column * 16 + d];
    scores[threadIdx.y] = sum * 0.25f;
}
#define BY_FOUR(LAST) \
    int row = threadIdx.y / 2, column = threadIdx.y % 2; \
    float sum = 0.0f; \
    for (int d = threadIdx.x; d < LAST; d += 4) sum += q[row * 16 + d] * k[column * 16 + d]; \
    sum += __shfl_xor_sync(0xffffffffu, sum, 1); \
    sum += __shfl_xor_sync(0xffffffffu, sum, 2); \
    if (threadIdx.x == 0) scores[threadIdx.y] = sum * 0.25f;
__global__ void after(const float *q, const float *k, float *scores) { BY_FOUR(16) }
__global__ void wrong(const float *q, const float *k, float *scores) { BY_FOUR(15) }
