// Sums the rows of a matrix, and the host function that calls it.
__global__ void totals(const int *rows, int *total, int n)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    int sum = 0;
    for (int k = 0; k < n; k++)
        sum += rows[row * n + k];
    total[row] = sum;
}

void sum_rows(const int *rows, int *total, int n)
{
    int *d_rows, *d_total;
    cudaMalloc(&d_rows, 4 * n * sizeof(int));
    cudaMalloc(&d_total, 4 * sizeof(int));
    cudaMemcpy(d_rows, rows, 4 * n * sizeof(int), cudaMemcpyHostToDevice);
    totals<<<2, 2>>>(d_rows, d_total, n);
    cudaMemcpy(total, d_total, 4 * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(d_rows);
    cudaFree(d_total);
}
