// gridlock: verdict = passed
// gridlock: block = 4
// gridlock: extent = out=4
// gridlock: why = only thread 0 gives its value to memory that outlives the launch

__global__ void keep(int *out)
{
    __shared__ int kept[4];
    int best;
    if (threadIdx.x == 0)
        best = 1;
    int *where = threadIdx.x > 0 ? kept : out;
    where[threadIdx.x] = best;
}
