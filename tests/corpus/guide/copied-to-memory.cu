// gridlock: verdict = passed
// gridlock: block = 4
// gridlock: extent = out=4
// gridlock: why = only thread 0 sets `best`; the cells that the others fill with what is none are never read

__global__ void keep(int *out)
{
    __shared__ int kept[4];
    int own[2];
    int best;
    own[1] = 7;
    if (threadIdx.x == 0)
        best = out[0];
    kept[threadIdx.x] = best;
    own[0] = best;
    __syncthreads();
    out[threadIdx.x] = kept[0] + own[1];
}
