// As gather-below.cu, under a wider condition.
__global__ void k(const int *in, const int *indices, int *out, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int sum = 0;
        for (int k = 0; k < m; k++)
            sum += in[indices[i * m + k]];
        if (m < 0)
            sum += in[i - 40] & 0;
        out[i] = sum;
    }
}
