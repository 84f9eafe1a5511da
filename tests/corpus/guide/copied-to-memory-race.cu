// gridlock: verdict = passed
// gridlock: block = 4
// gridlock: extent = out=4
// gridlock: why = each thread stores what is none to a cell of its own

__global__ void keep(int *out)
{
    __shared__ int kept[4];
    int best;
    if (threadIdx.x == 0)
        best = out[0];
    kept[threadIdx.x] = best;
    __syncthreads();
    out[threadIdx.x] = 1;
}
