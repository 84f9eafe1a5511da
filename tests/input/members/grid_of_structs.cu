struct Tile { int a[2][3]; int n; };

__global__ void grid_of_structs(int *out)
{
    __shared__ Tile m[2][4];
    int t = threadIdx.x;
    m[t / 4][t % 4].n = t;
    m[1][t / 4].a[1][2] = t;
    __syncthreads();
    out[t] = m[t / 4][t % 4].n;
}
