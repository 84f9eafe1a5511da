// launch: --grid 1 --block 8
// after: proved
// wrong: refuted
// modulo: reals

// Keys behind the query are masked: by a score of minus infinity, and by a loop that ends before them.
__global__ void before(const float *score, const float *v, float *out)
{
    float most = -INFINITY, sum = 0.0f, all = 0.0f;
    for (int j = 0; j < 8; j++) most = fmaxf(most, j <= threadIdx.x ? score[threadIdx.x * 8 + j] : -INFINITY);
    for (int j = 0; j < 8; j++) {
        float s = j <= threadIdx.x ? score[threadIdx.x * 8 + j] : -INFINITY;
        float p = expf(s - most);
        sum += p;
        all += p * v[j];
    }
    out[threadIdx.x] = all / sum;
}
#define ONE_PASS(END) \
    float most = -INFINITY, sum = 0.0f, all = 0.0f; \
    for (int j = 0; j < END; j++) { \
        float s = score[threadIdx.x * 8 + j], next = fmaxf(most, s); \
        float scale = expf(most - next), p = expf(s - next); \
        sum = sum * scale + p; \
        all = all * scale + p * v[j]; \
        most = next; \
    } \
    out[threadIdx.x] = __fdividef(all, sum);
__global__ void after(const float *score, const float *v, float *out) { ONE_PASS(threadIdx.x + 1) }
__global__ void wrong(const float *score, const float *v, float *out) { ONE_PASS(8) }
