// gridlock: verdict = passed
// gridlock: kernel = run
// gridlock: arg = chunks=2
// gridlock: extent = data=chunks
// gridlock: extent = result=chunks
// gridlock: why = the results of the last launch are copied back behind the loop

#include <assert.h>
#include <cuda_runtime.h>

__global__ void make_odd(const int *in, int *out)
{
    out[0] = in[0] | 1;
}

void run(const int *data, int *result, int chunks)
{
    int *in, *done, *next;
    for (int k = 0; k < chunks; k++)
        result[k] = 0;
    cudaMalloc((void **)&in, sizeof(int));
    cudaMalloc((void **)&done, sizeof(int));
    cudaMalloc((void **)&next, sizeof(int));
    for (int k = 0; k < chunks; k++) {
        cudaMemcpy(in, data + k, sizeof(int), cudaMemcpyHostToDevice);
        make_odd<<<1, 1>>>(in, next);
        if (k > 0)
            cudaMemcpy(result + k - 1, done, sizeof(int), cudaMemcpyDeviceToHost);
        int *other = done;
        done = next;
        next = other;
    }
    cudaMemcpy(result + chunks - 1, done, sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(in);
    cudaFree(done);
    cudaFree(next);
    for (int k = 0; k < chunks; k++)
        assert(result[k] & 1);
}
