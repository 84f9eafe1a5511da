// gridlock: verdict = refuted
// gridlock: kind = barrier-divergence
// gridlock: grid = 2
// gridlock: block = 8
// gridlock: arg = n=50
// gridlock: extent = a=n
// gridlock: extent = b=n
// gridlock: extent = c=2
// gridlock: few-grid = 1
// gridlock: few-block = 2
// gridlock: few-arg = n=5
// gridlock: why = only the threads that add meet at the barrier

#define THREADS_PER_BLOCK 64

__global__ void dot(const float *a, const float *b, float *c, int n)
{
    __shared__ float cache[THREADS_PER_BLOCK];
    int tid = threadIdx.x + blockIdx.x * blockDim.x;
    int cacheIndex = threadIdx.x;
    float temp = 0;

    while (tid < n) {
        temp += a[tid] * b[tid];
        tid += blockDim.x * gridDim.x;
    }
    cache[cacheIndex] = temp;
    __syncthreads();

    int i = blockDim.x / 2;
    while (i != 0) {
        if (cacheIndex < i) {
            cache[cacheIndex] += cache[cacheIndex + i];
            __syncthreads(); // <-- guilty
        }
        i /= 2;
    }
    if (cacheIndex == 0)
        c[blockIdx.x] = cache[0];
}
