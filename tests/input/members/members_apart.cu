struct Mixed { int id; float w[2]; int next; };

__global__ void members_apart(Mixed *m)
{
    __shared__ Mixed s[2][4];
    int t = threadIdx.x;
    s[t / 4][t % 4].next = t;
    s[1][t / 2].w[1] = t;
    __syncthreads();
    m[t].id = s[t / 4][t % 4].next;
}
