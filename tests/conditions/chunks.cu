// condition: n is a multiple of blockDim.x
// proved: no
// extent: a=n
__global__ void fill(int *a, int n)
{
    if (blockIdx.x == 0)
        for (int base = 0; base < n; base += blockDim.x)
            a[base + threadIdx.x] = 1;
}
