// gridlock: verdict = refuted
// gridlock: kind = uninitialised-read
// gridlock: block = 4
// gridlock: extent = out=4
// gridlock: why = memory that outlives the launch is output, also through a pointer that may be of either kind

__global__ void keep(int *out)
{
    __shared__ int kept[4];
    int best;
    if (threadIdx.x == 0)
        best = 1;
    int *where = threadIdx.x < 2 ? kept : out;
    where[threadIdx.x] = best; // <-- guilty
}
