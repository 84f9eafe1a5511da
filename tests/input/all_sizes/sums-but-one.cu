__global__ void sums(int *out, const int *a, int n)
{
    int r = threadIdx.x + blockDim.x * blockIdx.x;
    if (r >= n)
        return;
    int s = 0, k = 0;
    const int *at = a;
    while (k < n) {
        s = s + (k == 40 ? 0 : r) * *at++;
        k++;
    }
    out[r] = s;
}
