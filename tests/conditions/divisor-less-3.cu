// condition: k != 3
__global__ void ratio(int *a, int k)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    a[i] = i / (k - 3);
}
