// A thread for each element, where the grid is large enough.

__global__ void twice(int *a, const int *b, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i] = b[i] * 2;
}
