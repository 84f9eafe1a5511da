#include <cuda_runtime.h>

__global__ void race_decides(int *b)
{
    __shared__ int s;
    int t = threadIdx.x;
    s = 0;
    if (t == 0) {
        s = 3;
        s = 0;
    }
    b[s] = 0;
}

int main()
{
    int *b;
    cudaMalloc(&b, 3 * sizeof(int));
    race_decides<<<1, 2>>>(b);
    cudaDeviceSynchronize();
    cudaFree(b);
    return 0;
}
