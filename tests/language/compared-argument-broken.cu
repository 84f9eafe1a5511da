// gridlock: verdict = refuted
// gridlock: kind = null-pointer
// gridlock: grid = 2
// gridlock: block = 32
// gridlock: why = in one mode, which no sampled number is, the pointer is null

__device__ int *chosen(int *a, int mode)
{
    return mode == 1234 ? nullptr : a;
}

__global__ void fill(int *a, int mode)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int *to = chosen(a, mode);
    to[i] = i; // <-- guilty
}
