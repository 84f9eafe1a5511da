// Rows of a sparse matrix; columns meet.
__global__ void columns(float *sum, const int *row, const int *column, const float *value, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        for (int j = row[i]; j < row[i + 1]; j++)
            sum[column[j]] += value[j];
}
