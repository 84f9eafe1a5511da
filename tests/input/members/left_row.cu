struct P { int x, y; };

__global__ void left(P *p, int (*m)[4])
{
    p[threadIdx.x].y = 1;
    m[threadIdx.x][2] = 8;
}
