// gridlock: verdict = passed
// gridlock: block = 1
// gridlock: why = a launch has at least one thread

__global__ void fill(int *out)
{
    out[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}
