// gridlock: verdict = passed
// gridlock: grid = 2
// gridlock: block = 8
// gridlock: shared-bytes = 64
// gridlock: few-grid = 1
// gridlock: few-block = 2
// gridlock: why = a step reads one half of the buffer and writes the other

// Inclusive scan of a block, step-efficient.

__global__ void scan_block(const float *__restrict__ g_idata, float *__restrict__ g_odata)
{
    extern __shared__ float temp[]; // two buffers of blockDim.x elements
    int tid = threadIdx.x;
    int gid = blockIdx.x * blockDim.x + tid;
    int pout = 0, pin = 1;

    temp[tid] = g_idata[gid];
    __syncthreads();

    for (int offset = 1; offset < blockDim.x; offset <<= 1) {
        pout = 1 - pout;
        pin = 1 - pout;
        float v = temp[pin * blockDim.x + tid];
        if (tid >= offset)
            v += temp[pin * blockDim.x + tid - offset];
        temp[pout * blockDim.x + tid] = v;
        __syncthreads();
    }
    g_odata[gid] = temp[pout * blockDim.x + tid];
}
