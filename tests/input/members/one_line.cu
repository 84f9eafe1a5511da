__global__ void one_line()
{
    __shared__ int f;
    if (threadIdx.x) f = 1; else f = 2;
}
