// What is waited for comes, whatever the argument begins with.
__global__ void wait(int *flag, int *out)
{
    atomicExch(flag, 1);
    while (atomicAdd(flag, 0) == 4321)
        ;
    out[threadIdx.x] = 1;
}
