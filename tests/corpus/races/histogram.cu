// gridlock: verdict = passed
// gridlock: grid = 2
// gridlock: block = 32
// gridlock: few-grid = 1
// gridlock: few-block = 2
// gridlock: why = atomic additions whose results nobody uses commute

__global__ void histogram(const int *in, int *bins)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(&bins[in[i] & 3], 1);
}
