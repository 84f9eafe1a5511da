// gridlock: verdict = refuted
// gridlock: kind = data-race
// gridlock: grid = 2
// gridlock: block = 4
// gridlock: few-block = 1
// gridlock: few-grid = 1
// gridlock: why = the block does not wait for the place that its first thread reserves

// Keeps the elements above a threshold; the order of blocks is left open.

#define MAX_BLOCK 64

__device__ int out_count;

__global__ void compact(const int *__restrict__ in, int *__restrict__ out, int threshold)
{
    __shared__ int offsets[MAX_BLOCK];
    __shared__ int base;
    int tid = threadIdx.x;
    int value = in[blockIdx.x * blockDim.x + tid];
    int keep = value > threshold;

    offsets[tid] = keep;
    __syncthreads();
    for (int d = 1; d < blockDim.x; d <<= 1) {
        int left = tid >= d ? offsets[tid - d] : 0;
        __syncthreads();
        offsets[tid] += left;
        __syncthreads();
    }
    if (tid == 0)
        base = atomicAdd(&out_count, offsets[blockDim.x - 1]); // <-- guilty
    if (keep)
        out[base + offsets[tid] - 1] = value;
}
