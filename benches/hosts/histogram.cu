// A histogram of 2^22 bytes: bins of a block in shared memory, added up by atomics.
#include "check.h"
#include <cstdlib>
#include <cstring>

#define BINS 256

__global__ void histogram(const unsigned char *in, unsigned *bins, int n)
{
    __shared__ unsigned own[BINS];
    for (int i = threadIdx.x; i < BINS; i += blockDim.x)
        own[i] = 0;
    __syncthreads();
    int stride = blockDim.x * gridDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
        atomicAdd(&own[in[i]], 1u);
    __syncthreads();
    for (int i = threadIdx.x; i < BINS; i += blockDim.x)
        atomicAdd(&bins[i], own[i]);
}

int main(int argc, char **argv)
{
    const int n = 1 << 22;
    unsigned char *in = (unsigned char *)malloc(n);
    unsigned expected[BINS], bins[BINS];
    memset(expected, 0, sizeof(expected));
    for (int i = 0; i < n; i++) {
        in[i] = (unsigned char)((i * 7 + i / 3) & 255);
        expected[in[i]]++;
    }
    unsigned char *din;
    unsigned *dbins;
    CHECK(cudaMalloc(&din, n));
    CHECK(cudaMalloc(&dbins, sizeof(bins)));
    CHECK(cudaMemcpy(din, in, n, cudaMemcpyHostToDevice));
    CHECK(cudaMemset(dbins, 0, sizeof(bins)));
    histogram<<<128, 256>>>(din, dbins, n);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(bins, dbins, sizeof(bins), cudaMemcpyDeviceToHost));
    int wrong = 0;
    for (int i = 0; i < BINS; i++)
        wrong += bins[i] != expected[i];
    printf("%d bins are wrong\n", wrong);
    cudaFree(din);
    cudaFree(dbins);
    free(in);
    return wrong ? EXIT_FAILURE : EXIT_SUCCESS;
}
