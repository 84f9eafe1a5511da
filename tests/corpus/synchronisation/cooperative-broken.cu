// gridlock: verdict = refuted
// gridlock: kind = invalid-launch
// gridlock: why = an ordinary launch has no barrier of the grid

#include <cooperative_groups.h>

__global__ void shift(int *a)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    a[i] = i;
    cooperative_groups::this_grid().sync(); // <-- guilty
    int next = a[(i + 1) % 4];
    cooperative_groups::this_grid().sync();
    a[i] = next;
}

int main()
{
    int *d;
    int h[4];
    cudaMalloc(&d, 4 * sizeof(int));
    shift<<<2, 2>>>(d);
    cudaMemcpy(h, d, 4 * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(d);
    return h[3] == 0 ? 0 : 1;
}
