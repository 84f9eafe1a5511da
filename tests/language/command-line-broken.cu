// gridlock: verdict = refuted
// gridlock: kind = out-of-bounds
// gridlock: kernel = main
// gridlock: argv = 70 --block=32
// gridlock: why = 70 elements in blocks of 32: the last block runs past the array, for it has no guard

#include "helper_cuda.h"
#include <cstdio>
#include <cstdlib>

__global__ void number(int *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    a[i] = i; // <-- guilty
}

static void give_up(const char *program)
{
    printf("usage: %s n\n", program);
    exit(1);
}

int main(int argc, char **argv)
{
    if (argc < 2)
        give_up(argv[0]);
    int n = atoi(argv[1]);
    int block = 64;
    if (checkCmdLineFlag(argc, (const char **)argv, "block"))
        block = getCmdLineArgumentInt(argc, (const char **)argv, "block");
    int *a, *host = new int[n];
    cudaMalloc(&a, n * sizeof(int));
    number<<<(n + block - 1) / block, block>>>(a, n);
    cudaMemcpy(host, a, n * sizeof(int), cudaMemcpyDeviceToHost);
    int last = host[n - 1];
    cudaFree(a);
    delete[] host;
    return last == 69 ? 0 : 1;
}
