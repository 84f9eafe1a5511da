// gridlock: verdict = refuted
// gridlock: kind = data-race
// gridlock: grid = 2
// gridlock: block = 16
// gridlock: few-grid = 1
// gridlock: few-block = 2
// gridlock: why = cell i+1 belongs to the next thread as well, in the next block too

__global__ void spread(const int *in, int *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i]; // <-- guilty
    out[i + 1] = -in[i]; // <-- guilty
}
