__global__ void k(int *a)
{
    int lane;
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    a[threadIdx.x] = lane;
}
