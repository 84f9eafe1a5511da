// gridlock: verdict = passed
// gridlock: block = 4
// gridlock: arg = use=0
// gridlock: extent = a=4
// gridlock: extent = out=4
// gridlock: why = the pointer is used only where it was set

__global__ void choose(const int *a, int *out, int use)
{
    const int *from = 0;
    if (use > 0)
        from = a;
    if (use > 0)
        out[threadIdx.x] = from[threadIdx.x];
}
