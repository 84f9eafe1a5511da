// gridlock: verdict = proved
// gridlock: why = extents are made of indices and indices of extents, in both kinds of code

__device__ int place(uint3 extents)
{
    return extents.x + 10 * extents.y + 100 * extents.z;
}

__global__ void fill(int *a)
{
    dim3 thread(threadIdx);
    dim3 block = blockIdx;
    uint3 blocks = gridDim;
    a[thread.x + 4 * block.x + 8 * block.y] = place(blockDim) + place(blocks);
}

int main()
{
    int *a, host[16];
    cudaMalloc(&a, sizeof(host));
    uint3 two_by_two = {2, 2, 1};
    dim3 grid(two_by_two);
    uint3 again = grid;
    fill<<<grid, 4>>>(a);
    fill<<<again, make_uint3(4, 1, 1)>>>(a);
    cudaMemcpy(host, a, sizeof(host), cudaMemcpyDeviceToHost);
    cudaFree(a);
    for (int i = 0; i < 16; i++)
        if (host[i] != 114 + 122)
            return 1;
    return 0;
}
