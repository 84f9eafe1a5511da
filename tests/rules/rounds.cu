// gridlock: verdict = passed
// gridlock: kernel = f
// gridlock: arg = n=5
// gridlock: extent = a=8
// gridlock: extent = b=8
// gridlock: why = each round copies in, launches and copies back

#include <cuda_runtime.h>

__global__ void step(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = out[i] * 2 + in[i];
}

void f(int *a, int *b, int n)
{
    for (int round = 0; round < 3; round++) {
        if (n > 0) {
            int *d, *e;
            cudaMalloc(&d, 8 * sizeof(int));
            cudaMalloc(&e, 8 * sizeof(int));
            cudaMemcpy(d, a, 8 * sizeof(int), cudaMemcpyHostToDevice);
            cudaMemcpy(e, b, 8 * sizeof(int), cudaMemcpyHostToDevice);
            step<<<(n - 1) / 4 + 1, 4>>>(d, e, n);
            cudaMemcpy(b, e, 8 * sizeof(int), cudaMemcpyDeviceToHost);
            cudaFree(d);
            cudaFree(e);
        }
    }
}
