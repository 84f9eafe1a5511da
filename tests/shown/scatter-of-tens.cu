// What is assumed of the indices leaves room for two that are the same.
__global__ void scatter(int *c, const int *e)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    __requires(e[i] >= 1000);
    __requires(e[i] < 1010);
    c[e[i]] = i;
}
