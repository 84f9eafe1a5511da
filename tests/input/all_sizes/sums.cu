__global__ void sums(int *out, const int *a, int n)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r < n) {
        int s = 0;
        for (int k = 0; k < n; k++)
            s += a[k] * r;
        out[r] = s;
    }
}
