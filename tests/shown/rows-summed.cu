// Each row for itself.
__global__ void rows(float *sum, const int *row, const int *column, const float *value,
                     const float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float all = 0.0f;
    if (i < n) {
        for (int j = row[i]; j < row[i + 1]; j++)
            all += value[j] * x[column[j]];
        sum[i] = all;
    }
}
