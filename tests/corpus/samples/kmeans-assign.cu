// gridlock: verdict = passed
// gridlock: grid = 2
// gridlock: block = 8
// gridlock: arg = n=13
// gridlock: arg = k=3
// gridlock: extent = px=n
// gridlock: extent = py=n
// gridlock: extent = cx=k
// gridlock: extent = cy=k
// gridlock: extent = label=n
// gridlock: extent = counts=k
// gridlock: extent = sum_x=k
// gridlock: extent = sum_y=k
// gridlock: few-grid = 1
// gridlock: few-block = 2
// gridlock: few-arg = n=2
// gridlock: few-arg = k=2
// gridlock: why = clusters are counted and summed by atomics

#define MAX_K 16
#define FIXED_POINT 256.0f

__global__ void assign_clusters(const float *__restrict__ px, const float *__restrict__ py, int n,
                                const float *__restrict__ cx, const float *__restrict__ cy, int k,
                                int *__restrict__ label, int *counts, int *sum_x, int *sum_y)
{
    __shared__ float s_cx[MAX_K];
    __shared__ float s_cy[MAX_K];
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (threadIdx.x < k) {
        s_cx[threadIdx.x] = cx[threadIdx.x];
        s_cy[threadIdx.x] = cy[threadIdx.x];
    }
    __syncthreads();
    if (i >= n)
        return;

    float best_dist = 3.402823e38f;
    int best = 0;
    for (int c = 0; c < k; c++) {
        float dx = px[i] - s_cx[c];
        float dy = py[i] - s_cy[c];
        float dist = dx * dx + dy * dy;
        if (dist < best_dist) {
            best_dist = dist;
            best = c;
        }
    }
    label[i] = best;
    atomicAdd(&counts[best], 1);
    atomicAdd(&sum_x[best], (int)(px[i] * FIXED_POINT));
    atomicAdd(&sum_y[best], (int)(py[i] * FIXED_POINT));
}
