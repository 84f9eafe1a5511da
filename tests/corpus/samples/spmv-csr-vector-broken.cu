// gridlock: verdict = refuted
// gridlock: kind = uninitialised-read
// gridlock: block = 64
// gridlock: arg = num_rows=3
// gridlock: extent = y=num_rows
// gridlock: contents = row_ptr=initial
// gridlock: few-block = 2
// gridlock: few-arg = num_rows=1
// gridlock: why = lanes without an element pass over the shuffles that name them

// One warp a row.

#define WARP 32
#define FULL 0xffffffffu

__constant__ int row_ptr[4] = {0, 5, 40, 40};

__global__ void spmv_csr_vector(int num_rows, const unsigned char *__restrict__ col_idx,
                                const float *__restrict__ values, const float *__restrict__ x, float *y)
{
    int thread_id = blockDim.x * blockIdx.x + threadIdx.x;
    int lane = thread_id & (WARP - 1);
    int n_warps = (gridDim.x * blockDim.x + WARP - 1) / WARP;

    for (int row = thread_id / WARP; row < num_rows; row += n_warps) {
        int start = row_ptr[row];
        int end = row_ptr[row + 1];
        float sum = 0.0f;
        for (int jj = start + lane; jj < end; jj += WARP)
            sum += values[jj] * x[col_idx[jj]];
        if (start + lane >= end)
            continue;
        for (int offset = WARP / 2; offset > 0; offset /= 2)
            sum += __shfl_down_sync(FULL, sum, offset); // <-- guilty
        if (lane == 0)
            y[row] = sum;
    }
}
