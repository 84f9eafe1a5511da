// gridlock: verdict = refuted
// gridlock: kind = data-race
// gridlock: grid = 2
// gridlock: block = 32
// gridlock: few-grid = 1
// gridlock: few-block = 2
// gridlock: why = two threads that fall into one bin read and write it without atomics

__global__ void histogram(const int *in, int *bins)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    bins[in[i] & 3] += 1; // <-- guilty
}
