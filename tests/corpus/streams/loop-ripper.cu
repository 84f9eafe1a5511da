// gridlock: verdict = passed
// gridlock: kernel = run
// gridlock: arg = n=6
// gridlock: extent = numbers=n
// gridlock: extent = squares=n
// gridlock: few-arg = n=4
// gridlock: why = a chunk's result is copied back in the round after it was computed, the last one too, and everything is given back

#include <cuda_runtime.h>

// One pass over a loop nest cut into chunks, after LoopRipper: while the device works on one chunk,
// the next goes there and the one before comes back.
__global__ void square(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[i] * in[i];
}

void run(const int *numbers, int *squares, int n)
{
    const int size = 2;
    int chunks = n / size;
    int bytes = size * sizeof(int);
    int *in0, *in1, *out0, *out1, *from, *to;
    cudaStream_t push, work, pull;
    cudaMalloc((void **)&in0, bytes);
    cudaMalloc((void **)&in1, bytes);
    cudaMalloc((void **)&out0, bytes);
    cudaMalloc((void **)&out1, bytes);
    cudaMallocHost((void **)&from, bytes);
    cudaMallocHost((void **)&to, bytes);
    cudaStreamCreate(&push);
    cudaStreamCreate(&work);
    cudaStreamCreate(&pull);
    // Round c copies chunk c there, computes chunk c - 1, and copies chunk c - 2 back.
    for (int c = 0; c < chunks + 2; c++) {
        bool even = c % 2 == 0;
        if (c < chunks) {
            for (int i = 0; i < size; i++)
                from[i] = numbers[c * size + i];
            cudaMemcpyAsync(even ? in0 : in1, from, bytes, cudaMemcpyHostToDevice, push);
        }
        if (c > 0 && c <= chunks)
            square<<<1, 2, 0, work>>>(even ? in1 : in0, even ? out1 : out0, size);
        if (c > 1)
            cudaMemcpyAsync(to, even ? out0 : out1, bytes, cudaMemcpyDeviceToHost, pull);
        cudaDeviceSynchronize();
        if (c > 1)
            for (int i = 0; i < size; i++)
                squares[(c - 2) * size + i] = to[i];
    }
    cudaStreamDestroy(push);
    cudaStreamDestroy(work);
    cudaStreamDestroy(pull);
    cudaFreeHost(from);
    cudaFreeHost(to);
    cudaFree(in0);
    cudaFree(in1);
    cudaFree(out0);
    cudaFree(out1);
}
