struct P { int x, y; };

__global__ void global_pointer(P *p)
{
    int t = threadIdx.x;
    p[t].y = p[t - 1].x;
}
