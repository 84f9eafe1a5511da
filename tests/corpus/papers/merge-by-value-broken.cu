// gridlock: verdict = refuted
// gridlock: kind = data-race, assertion
// gridlock: profile = paper
// gridlock: kernel = run
// gridlock: extent = out=1
// gridlock: why = both threads may find 0, and thread 0, which writes 0 again, may come last; merged by value it is no writer, and the assertion holds

#include <assert.h>
#include <cuda_runtime.h>

__global__ void mark(int *x)
{
    x[0] = x[0] == 0 ? threadIdx.x : 7; // <-- guilty
}

__global__ void look(int *x)
{
    assert(x[0] != 0); // <-- guilty
}

void run(int *out)
{
    int *x;
    out[0] = 0;
    cudaMalloc((void **)&x, sizeof(int));
    cudaMemcpy(x, out, sizeof(int), cudaMemcpyHostToDevice);
    mark<<<1, 2>>>(x);
    look<<<1, 1>>>(x);
    cudaMemcpy(out, x, sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(x);
}
