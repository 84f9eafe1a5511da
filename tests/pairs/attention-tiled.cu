// launch: --grid 1 --block 8
// after: proved
// wrong: refuted
// modulo: reals

// A query for each thread: plain attention, and by tiles of keys in shared memory with a running maximum.
__global__ void before(const float *q, const float *k, const float *v, float *out)
{
    float score[16], most = -INFINITY, sum = 0.0f;
    for (int j = 0; j < 16; j++) {
        score[j] = 0.0f;
        for (int d = 0; d < 4; d++) score[j] += q[threadIdx.x * 4 + d] * k[j * 4 + d];
        score[j] *= 0.5f;
        most = fmaxf(most, score[j]);
    }
    for (int j = 0; j < 16; j++) { score[j] = expf(score[j] - most); sum += score[j]; }
    for (int d = 0; d < 4; d++) {
        float all = 0.0f;
        for (int j = 0; j < 16; j++) all += score[j] / sum * v[j * 4 + d];
        out[threadIdx.x * 4 + d] = all;
    }
}
#define TILED(SCALE) \
    __shared__ float keys[32], values[32]; \
    float most = -INFINITY, sum = 0.0f, all[4] = {0.0f, 0.0f, 0.0f, 0.0f}; \
    for (int tile = 0; tile < 2; tile++) { \
        for (int i = threadIdx.x; i < 32; i += 8) { \
            keys[i] = k[tile * 32 + i]; \
            values[i] = v[tile * 32 + i]; \
        } \
        __syncthreads(); \
        float score[8], next = most; \
        for (int j = 0; j < 8; j++) { \
            score[j] = 0.0f; \
            for (int d = 0; d < 4; d++) score[j] += q[threadIdx.x * 4 + d] * keys[j * 4 + d]; \
            score[j] *= 0.5f; \
            next = fmaxf(next, score[j]); \
        } \
        float scale = expf(most - next); \
        sum *= scale; \
        for (int d = 0; d < 4; d++) all[d] *= SCALE; \
        for (int j = 0; j < 8; j++) { \
            float p = expf(score[j] - next); \
            sum += p; \
            for (int d = 0; d < 4; d++) all[d] += p * values[j * 4 + d]; \
        } \
        most = next; \
        __syncthreads(); \
    } \
    for (int d = 0; d < 4; d++) out[threadIdx.x * 4 + d] = all[d] / sum;
__global__ void after(const float *q, const float *k, const float *v, float *out) { TILED(scale) }
__global__ void wrong(const float *q, const float *k, const float *v, float *out) { TILED(1.0f) }
