// gridlock: verdict = passed
// gridlock: kernel = run
// gridlock: arg = n=3
// gridlock: extent = data=n
// gridlock: extent = result=n
// gridlock: why = the last chunk is as long as what is left

#include <assert.h>
#include <cuda_runtime.h>
#include <stdlib.h>

#define CHUNK 2

__global__ void negate(int *a, int n, int done)
{
    int i = threadIdx.x;
    if (done + i < n)
        a[i] = -a[i];
}

void run(const int *data, int *result, int n)
{
    int *part = (int *)malloc(CHUNK * sizeof(int));
    int *a;
    cudaMalloc((void **)&a, CHUNK * sizeof(int));
    int launches = (n + CHUNK - 1) / CHUNK;
    for (int l = 0; l < launches; l++) {
        int left = n - l * CHUNK < CHUNK ? n - l * CHUNK : CHUNK;
        for (int i = 0; i < left; i++)
            part[i] = data[l * CHUNK + i];
        cudaMemcpy(a, part, left * sizeof(int), cudaMemcpyHostToDevice);
        negate<<<1, CHUNK>>>(a, n, l * CHUNK);
        cudaMemcpy(part, a, left * sizeof(int), cudaMemcpyDeviceToHost);
        for (int i = 0; i < left; i++)
            result[l * CHUNK + i] = part[i];
    }
    cudaFree(a);
    free(part);
}
