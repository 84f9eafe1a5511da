struct P { int x, y; };

__global__ void past_the_end(P *p)
{
    __shared__ P s[32];
    int t = threadIdx.x;
    s[t] = p[t];
    __syncthreads();
    p[t].x = s[t + 1].x;
}
