// gridlock: verdict = refuted
// gridlock: kind = data-race
// gridlock: block = 4
// gridlock: extent = out=4
// gridlock: why = a store of what is none is a store: it meets the one of thread 0 without order

__global__ void keep(int *out)
{
    __shared__ int kept[4];
    int best;
    if (threadIdx.x == 0)
        best = out[0];
    kept[threadIdx.x / 2] = best; // <-- guilty
    __syncthreads();
    out[threadIdx.x] = 1;
}
