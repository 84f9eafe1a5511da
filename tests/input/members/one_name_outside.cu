struct P { int x, y; };

__device__ void first(int t)
{
    __shared__ P s[8];
    s[t].y = t;
}

__device__ void second(int t)
{
    __shared__ int s[64];
    s[t] = t;
}

__global__ void one_name_outside()
{
    first(threadIdx.x);
    second(threadIdx.x);
}
