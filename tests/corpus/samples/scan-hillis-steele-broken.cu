// gridlock: verdict = refuted
// gridlock: kind = data-race
// gridlock: grid = 2
// gridlock: block = 8
// gridlock: shared-bytes = 64
// gridlock: few-grid = 1
// gridlock: few-block = 2
// gridlock: why = a step updates the elements that its neighbours still have to read

// Inclusive scan of a block, step-efficient.

__global__ void scan_block(const float *__restrict__ g_idata, float *__restrict__ g_odata)
{
    extern __shared__ float temp[];
    int tid = threadIdx.x;
    int gid = blockIdx.x * blockDim.x + tid;

    temp[tid] = g_idata[gid];
    __syncthreads();

    for (int offset = 1; offset < blockDim.x; offset <<= 1) {
        if (tid >= offset)
            temp[tid] += temp[tid - offset]; // <-- guilty
        __syncthreads();
    }
    g_odata[gid] = temp[tid];
}
