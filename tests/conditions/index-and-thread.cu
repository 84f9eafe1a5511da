// condition: k >= 0 and k + blockDim.x <= n
// extent: a=n
__global__ void pick(const int *a, int *out, int n, int k)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = a[k + threadIdx.x];
}
