// gridlock: verdict = passed
// gridlock: kernel = main
// gridlock: why = a compare-and-swap that fails reads: the other stream, and the copy, read too

#include <cuda_runtime.h>

__global__ void take(int *lock, int *out)
{
    out[0] = atomicCAS(lock, 5, 1);
}

int main()
{
    int *lock, *out, *other, seen;
    cudaMalloc(&lock, sizeof(int));
    cudaMalloc(&out, sizeof(int));
    cudaMalloc(&other, sizeof(int));
    cudaMemset(lock, 0, sizeof(int));
    cudaDeviceSynchronize();
    cudaStream_t a, b;
    cudaStreamCreate(&a);
    cudaStreamCreate(&b);
    take<<<1, 1, 0, a>>>(lock, out);
    take<<<1, 1, 0, b>>>(lock, other);
    cudaMemcpyAsync(&seen, lock, sizeof(int), cudaMemcpyDeviceToHost, b);
    cudaDeviceSynchronize();
    cudaFree(lock);
    cudaFree(out);
    cudaFree(other);
    cudaStreamDestroy(a);
    cudaStreamDestroy(b);
    return seen;
}
