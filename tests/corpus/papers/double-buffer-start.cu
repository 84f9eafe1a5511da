// gridlock: verdict = passed
// gridlock: kernel = run
// gridlock: arg = chunks=2
// gridlock: extent = data=chunks
// gridlock: extent = result=1
// gridlock: why = before the first launch there is nothing to copy back

#include <cuda_runtime.h>

__global__ void make_odd(const int *in, int *out)
{
    out[0] = in[0] | 1;
}

void run(const int *data, int *result, int chunks)
{
    int *in, *done, *next;
    int before[1];
    int n_odd = 0;
    cudaMalloc((void **)&in, sizeof(int));
    cudaMalloc((void **)&done, sizeof(int));
    cudaMalloc((void **)&next, sizeof(int));
    for (int k = 0; k < chunks; k++) {
        cudaMemcpy(in, data + k, sizeof(int), cudaMemcpyHostToDevice);
        make_odd<<<1, 1>>>(in, next);
        if (k > 0) {
            cudaMemcpy(before, done, sizeof(int), cudaMemcpyDeviceToHost);
            n_odd += before[0] & 1;
        }
        int *other = done;
        done = next;
        next = other;
    }
    cudaMemcpy(before, done, sizeof(int), cudaMemcpyDeviceToHost);
    n_odd += before[0] & 1;
    result[0] = n_odd;
    cudaFree(in);
    cudaFree(done);
    cudaFree(next);
}
