// gridlock: verdict = passed
// gridlock: kernel = run
// gridlock: arg = n=6
// gridlock: extent = numbers=n
// gridlock: extent = squares=n
// gridlock: few-arg = n=4
// gridlock: why = all buffers are given back (though the last chunk's result is never copied back)

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
    for (int i = 0; i < size; i++)
        from[i] = numbers[i];
    cudaMemcpyAsync(in0, from, bytes, cudaMemcpyHostToDevice, push);
    cudaDeviceSynchronize();
    for (int c = 0; c < chunks; c++) {
        bool even = c % 2 == 0;
        square<<<1, 2, 0, work>>>(even ? in0 : in1, even ? out0 : out1, size);
        if (c > 0)
            cudaMemcpyAsync(to, even ? out1 : out0, bytes, cudaMemcpyDeviceToHost, pull);
        if (c + 1 < chunks) {
            for (int i = 0; i < size; i++)
                from[i] = numbers[(c + 1) * size + i];
            cudaMemcpyAsync(even ? in1 : in0, from, bytes, cudaMemcpyHostToDevice, push);
        }
        cudaDeviceSynchronize();
        if (c > 0)
            for (int i = 0; i < size; i++)
                squares[(c - 1) * size + i] = to[i];
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
