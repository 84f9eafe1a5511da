// condition: n >= gridDim.x * blockDim.x
// extent: a=n
__global__ void scale(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    a[i] = 2 * a[i];
}
