// gridlock: verdict = passed
// gridlock: block = 4
// gridlock: why = the lane is computed from the thread index

__global__ void lanes(int *out)
{
    out[threadIdx.x] = threadIdx.x & 31;
}
