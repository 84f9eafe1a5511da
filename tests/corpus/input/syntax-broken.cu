// gridlock: verdict = error
// gridlock: kind = syntax
// gridlock: block = 4
// gridlock: why = a semicolon is missing

__global__ void copy(const int *in, int *out)
{
    out[threadIdx.x] = in[threadIdx.x]
}
