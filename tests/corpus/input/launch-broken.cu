// gridlock: verdict = error
// gridlock: kind = launch
// gridlock: block = 0
// gridlock: why = a launch of no threads is refused

__global__ void fill(int *out)
{
    out[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}
