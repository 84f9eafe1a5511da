// gridlock: verdict = proved
// gridlock: block = 8
// gridlock: why = whatever a host puts into the table, a thread reads one element and writes its own

__constant__ int offsets[8] = {0, 1, 2, 3, 4, 5, 6, 7};

__global__ void shift(const int *in, int *out)
{
    out[threadIdx.x] = in[threadIdx.x] + offsets[threadIdx.x];
}
