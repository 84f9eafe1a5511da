// condition: n >= blockDim.x
// extent: a=n
__global__ void scale(float *a, int n)
{
    int i = threadIdx.x;
    if (blockIdx.x == 0)
        a[i] = 2 * a[i];
}
