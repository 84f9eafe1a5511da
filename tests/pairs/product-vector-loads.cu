// launch: --grid 1 --block 8,8
// after: proved
// wrong: refuted

// Rows are read four cells at once.
#define N 8
__global__ void before(const float *a, const float *b, float *c)
{
    float sum = 0.0f;
    for (int k = 0; k < N; k++) sum += a[threadIdx.y * N + k] * b[threadIdx.x * N + k];
    c[threadIdx.y * N + threadIdx.x] = sum;
}
#define BY_FOUR(LAST) \
    float sum = 0.0f; \
    for (int k = 0; k < N / 4; k++) { \
        float4 l = ((const float4 *)a)[threadIdx.y * 2 + k], r = ((const float4 *)b)[threadIdx.x * 2 + k]; \
        sum += l.x * r.x; sum += l.y * r.y; sum += l.z * r.z; sum += l.w * LAST; \
    } \
    c[threadIdx.y * N + threadIdx.x] = sum;
__global__ void after(const float *a, const float *b, float *c) { BY_FOUR(r.w) }
__global__ void wrong(const float *a, const float *b, float *c) { BY_FOUR(r.z) }
