// gridlock: verdict = proved
// gridlock: grid = 2
// gridlock: block = 8
// gridlock: arg = n=16
// gridlock: few-grid = 1
// gridlock: few-block = 2
// gridlock: few-arg = n=4
// gridlock: why = the block loads the next bodies after all have used the last ones

// All pairs of bodies, those of a tile at a time in shared memory.

#define BLOCK_MAX 64
#define SOFTENING 1e-3f

__global__ void body_force(const float *__restrict__ px, const float *__restrict__ py,
                           const float *__restrict__ mass, float *__restrict__ vx, float *__restrict__ vy,
                           float dt, int n)
{
    __shared__ float sx[BLOCK_MAX];
    __shared__ float sy[BLOCK_MAX];
    __shared__ float sm[BLOCK_MAX];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = px[i], y = py[i];
    float fx = 0.0f, fy = 0.0f;

    for (int tile = 0; tile < n; tile += blockDim.x) {
        int j = tile + threadIdx.x;
        sx[threadIdx.x] = px[j];
        sy[threadIdx.x] = py[j];
        sm[threadIdx.x] = mass[j];
        __syncthreads();
#pragma unroll 4
        for (int k = 0; k < blockDim.x; k++) {
            float dx = sx[k] - x;
            float dy = sy[k] - y;
            float dist2 = dx * dx + dy * dy + SOFTENING;
            float inv = 1.0f / sqrtf(dist2);
            float s = sm[k] * inv * inv * inv;
            fx += dx * s;
            fy += dy * s;
        }
        __syncthreads();
    }
    vx[i] += dt * fx;
    vy[i] += dt * fy;
}
