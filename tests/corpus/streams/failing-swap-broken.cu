// gridlock: verdict = refuted
// gridlock: kind = unordered-streams
// gridlock: kernel = main
// gridlock: why = the other stream writes what the compare-and-swap reads, which comes before what it reads plainly

#include <cuda_runtime.h>

__global__ void take(int *a, int *out)
{
    atomicCAS(a + 2, 5, 1);
    out[0] = a[7];
}

__global__ void set(int *a)
{
    a[2] = 3;
}

int main()
{
    int *a, *out;
    cudaMalloc(&a, 8 * sizeof(int));
    cudaMalloc(&out, sizeof(int));
    cudaMemset(a, 0, 8 * sizeof(int));
    cudaDeviceSynchronize();
    cudaStream_t one, two;
    cudaStreamCreate(&one);
    cudaStreamCreate(&two);
    take<<<1, 1, 0, one>>>(a, out);
    set<<<1, 1, 0, two>>>(a);
    cudaDeviceSynchronize();
    cudaFree(a);
    cudaFree(out);
    cudaStreamDestroy(one);
    cudaStreamDestroy(two);
    return 0;
}
