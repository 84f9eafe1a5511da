struct P { int x, y; };

__device__ void first(int t)
{
    __shared__ P s[8];
    s[t / 2].y = t;
}

__device__ void second(int t)
{
    __shared__ int s[16];
    s[t / 2] = t;
}

__global__ void one_name()
{
    first(threadIdx.x);
    second(threadIdx.x);
}
