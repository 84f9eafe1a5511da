// What is assumed of the indices leaves none.
__global__ void scatter(int *c, const int *e)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    __requires(e[i] >= 2 * i);
    __requires(e[i] <= 2 * i + 1);
    c[e[i]] = i;
}
