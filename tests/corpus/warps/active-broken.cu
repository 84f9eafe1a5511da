// gridlock: verdict = refuted
// gridlock: kind = uninitialised-read
// gridlock: block = 4
// gridlock: profile = cuda
// gridlock: few-block = 2
// gridlock: why = lane 0 need not be among the lanes that come together

__global__ void broadcast(const int *in, int *out)
{
    unsigned together = __activemask();
    int v = __shfl_sync(together, in[threadIdx.x], 0);
    out[threadIdx.x] = v; // <-- guilty
}
