// Sums of elements that indices name: where these lie is not known, and they are the same in both.
__global__ void k(const int *in, const int *indices, int *out, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int sum = 0;
        for (int k = 0; k < m; k++)
            sum += in[indices[i * m + k]];
        out[i] = sum;
    }
}
