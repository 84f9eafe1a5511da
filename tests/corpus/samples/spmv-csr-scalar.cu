// gridlock: verdict = proved
// gridlock: kernel = run
// gridlock: why = threads beyond the last row do nothing

#include <cuda_runtime.h>

#define ROWS 5
#define NNZ 9
#define THREADS 4

__global__ void spmv_csr_scalar(int num_rows, const int *row_ptr, const int *col_idx, const float *values,
                                const float *x, float *y)
{
    int row = blockDim.x * blockIdx.x + threadIdx.x;

    if (row < num_rows) {
        float dot = 0.0f;
        int row_start = row_ptr[row];
        int row_end = row_ptr[row + 1];
        for (int jj = row_start; jj < row_end; jj++)
            dot += values[jj] * x[col_idx[jj]];
        y[row] += dot;
    }
}

void run()
{
    int row_ptr[ROWS + 1] = {0, 2, 3, 3, 7, 9};
    int col_idx[NNZ] = {0, 4, 1, 0, 1, 2, 3, 2, 4};
    float values[NNZ] = {1.0f, 2.0f, 3.0f, 4.0f, 5.0f, 6.0f, 7.0f, 8.0f, 9.0f};
    float x[ROWS] = {1.0f, 0.5f, 0.25f, 2.0f, 4.0f};
    float y[ROWS];
    int *d_row_ptr, *d_col_idx;
    float *d_values, *d_x, *d_y;

    cudaMalloc((void **)&d_row_ptr, sizeof(row_ptr));
    cudaMalloc((void **)&d_col_idx, sizeof(col_idx));
    cudaMalloc((void **)&d_values, sizeof(values));
    cudaMalloc((void **)&d_x, sizeof(x));
    cudaMalloc((void **)&d_y, sizeof(y));
    cudaMemcpy(d_row_ptr, row_ptr, sizeof(row_ptr), cudaMemcpyHostToDevice);
    cudaMemcpy(d_col_idx, col_idx, sizeof(col_idx), cudaMemcpyHostToDevice);
    cudaMemcpy(d_values, values, sizeof(values), cudaMemcpyHostToDevice);
    cudaMemcpy(d_x, x, sizeof(x), cudaMemcpyHostToDevice);
    cudaMemset(d_y, 0, sizeof(y));

    dim3 block(THREADS);
    dim3 grid((ROWS + THREADS - 1) / THREADS);
    spmv_csr_scalar<<<grid, block>>>(ROWS, d_row_ptr, d_col_idx, d_values, d_x, d_y);
    cudaMemcpy(y, d_y, sizeof(y), cudaMemcpyDeviceToHost);

    cudaFree(d_row_ptr);
    cudaFree(d_col_idx);
    cudaFree(d_values);
    cudaFree(d_x);
    cudaFree(d_y);
}
