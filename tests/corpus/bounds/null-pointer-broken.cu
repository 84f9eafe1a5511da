// gridlock: verdict = refuted
// gridlock: kind = null-pointer
// gridlock: block = 4
// gridlock: arg = use=0
// gridlock: extent = a=4
// gridlock: extent = out=4
// gridlock: why = the pointer is used where it was never set

__global__ void choose(const int *a, int *out, int use)
{
    const int *from = 0;
    if (use > 0)
        from = a;
    out[threadIdx.x] = from[threadIdx.x]; // <-- guilty
}
