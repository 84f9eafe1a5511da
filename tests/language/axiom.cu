// gridlock: verdict = proved
// gridlock: why = the file says that there is one block, whose first thread alone writes

__axiom(gridDim.x == 1);

__axiom(blockDim.x > 2);

__global__ void first(int *a)
{
    if (threadIdx.x == 0)
        a[0] = blockDim.x;
}
