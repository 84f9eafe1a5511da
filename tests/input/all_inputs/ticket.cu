__global__ void ticket(int *out, int *next)
{
    int mine = atomicAdd(next, 1);
    out[mine & 31] = 1;
}
