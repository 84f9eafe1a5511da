// gridlock: verdict = refuted
// gridlock: kind = uninitialised-read
// gridlock: block = 4
// gridlock: extent = out=4
// gridlock: why = a private cell that had a value has none once a variable without one was stored there

__global__ void keep(int *out)
{
    int own[2];
    int best;
    own[threadIdx.x & 1] = 7;
    if (threadIdx.x == 0)
        best = out[0];
    own[threadIdx.x & 1] = best;
    out[threadIdx.x] = own[threadIdx.x & 1]; // <-- guilty
}
