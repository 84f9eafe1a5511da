// gridlock: verdict = passed
// gridlock: grid = 2
// gridlock: block = 16
// gridlock: few-grid = 1
// gridlock: few-block = 2
// gridlock: why = cells 2i and 2i+1 belong to thread i alone

__global__ void spread(const int *in, int *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[2 * i] = in[i];
    out[2 * i + 1] = -in[i];
}
