__global__ void k(int *a)
{
    int lane;
    asm("mov.u32 %0, %%envreg7;" : "=r"(lane));
    a[threadIdx.x] = lane;
}
