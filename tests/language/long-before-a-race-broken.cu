// gridlock: verdict = refuted
// gridlock: kind = data-race
// gridlock: why = threads of two warps write the last value, after some fifty thousand steps of all

#include <cuda_runtime.h>

// Two hundred rounds on an element of its own, before two threads write what they have.
__global__ void rounds(int *a, int *last)
{
    int i = threadIdx.x;
    for (int r = 0; r < 200; r++)
        a[i] = a[i] + r;
    __syncthreads();
    if (i == 0 || i == 127)
        *last = a[i];
}

int main()
{
    const int n = 128;
    int *host, *a, *last, end = 0;
    host = new int[n];
    cudaMalloc(&a, n * sizeof(int));
    cudaMalloc(&last, sizeof(int));
    for (int i = 0; i < n; i++)
        host[i] = i;
    cudaMemcpy(a, host, n * sizeof(int), cudaMemcpyHostToDevice);
    rounds<<<1, n>>>(a, last);
    cudaMemcpy(&end, last, sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(a);
    cudaFree(last);
    delete[] host;
    return end == 0;
}
