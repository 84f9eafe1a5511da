// gridlock: verdict = proved
// gridlock: why = the launch is cooperative, so its blocks may meet

#include <cooperative_groups.h>

__global__ void shift(int *a)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    a[i] = i;
    cooperative_groups::this_grid().sync();
    int next = a[(i + 1) % 4];
    cooperative_groups::this_grid().sync();
    a[i] = next;
}

int main()
{
    int *d;
    int h[4];
    cudaMalloc(&d, 4 * sizeof(int));
    void *arguments[] = {&d};
    cudaLaunchCooperativeKernel((void *)shift, dim3(2), dim3(2), arguments);
    cudaMemcpy(h, d, 4 * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(d);
    return h[3] == 0 ? 0 : 1;
}
