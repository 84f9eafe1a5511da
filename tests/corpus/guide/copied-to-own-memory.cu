// gridlock: verdict = passed
// gridlock: block = 4
// gridlock: extent = out=4
// gridlock: why = the private cell has a value again before it is read

__global__ void keep(int *out)
{
    int own[2];
    int best;
    own[threadIdx.x & 1] = 7;
    if (threadIdx.x == 0)
        best = out[0];
    own[threadIdx.x & 1] = best;
    own[threadIdx.x & 1] = 8;
    out[threadIdx.x] = own[threadIdx.x & 1];
}
