// gridlock: verdict = refuted
// gridlock: kind = uninitialised-read
// gridlock: grid = 2
// gridlock: block = 8
// gridlock: arg = n=11
// gridlock: extent = in=n
// gridlock: extent = best_val=2
// gridlock: extent = best_idx=2
// gridlock: few-grid = 1
// gridlock: few-block = 2
// gridlock: few-arg = n=3
// gridlock: why = threads without an element write no candidate

#define MAX_THREADS 64

__global__ void argmax(const float *__restrict__ in, int n, float *__restrict__ best_val, int *__restrict__ best_idx)
{
    __shared__ float s_val[MAX_THREADS];
    __shared__ int s_idx[MAX_THREADS];
    const int tid = threadIdx.x;
    const int chunk = (n + gridDim.x - 1) / gridDim.x;
    const int begin = blockIdx.x * chunk;
    const int end = min((int)(begin + chunk), n);
    float val = -3.4e38f;
    int idx = -1;

    for (int i = begin + tid; i < end; i += blockDim.x) {
        if (in[i] > val) {
            val = in[i];
            idx = i;
        }
    }
    if (idx >= 0) {
        s_val[tid] = val;
        s_idx[tid] = idx;
    }
    __syncthreads();
    for (int s = blockDim.x / 2; s > 0; s >>= 1) {
        if (tid < s) {
            float other = s_val[tid + s]; // <-- guilty
            if (other > s_val[tid] || (other == s_val[tid] && s_idx[tid + s] < s_idx[tid])) {
                s_val[tid] = other;
                s_idx[tid] = s_idx[tid + s];
            }
        }
        __syncthreads();
    }
    if (tid == 0) {
        best_val[blockIdx.x] = s_val[0];
        best_idx[blockIdx.x] = s_idx[0];
    }
}
