__global__ void before_the_array(int *b)
{
    int t = threadIdx.x;
    b[t] = 1;
    b[t - 8] = 2;
}
