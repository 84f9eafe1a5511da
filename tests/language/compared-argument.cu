// gridlock: verdict = proved
// gridlock: grid = 2
// gridlock: block = 32
// gridlock: why = in every mode each thread has an element of its own

__device__ int place(int i, int mode)
{
    return mode == 1234 ? 63 - i : i;
}

__global__ void fill(int *a, int mode)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    a[place(i, mode)] = i;
}
