// gridlock: verdict = refuted
// gridlock: kind = assertion
// gridlock: kernel = run
// gridlock: arg = chunks=2
// gridlock: extent = data=chunks
// gridlock: extent = result=chunks
// gridlock: why = each round copies back what the round before has computed, and nobody copies what the last one has

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
    cudaFree(in);
    cudaFree(done);
    cudaFree(next);
    for (int k = 0; k < chunks; k++)
        assert(result[k] & 1); // <-- guilty
}
