// gridlock: verdict = refuted
// gridlock: kind = uninitialised-read
// gridlock: block = 4
// gridlock: extent = out=4
// gridlock: why = only thread 0 sets `best`; the cells that the others fill hold no value where they are read

__global__ void keep(int *out)
{
    __shared__ int kept[4];
    kept[threadIdx.x] = 1;
    int best;
    if (threadIdx.x == 0)
        best = out[0];
    kept[threadIdx.x] = best;
    __syncthreads();
    out[threadIdx.x] = kept[3 - threadIdx.x]; // <-- guilty
}
