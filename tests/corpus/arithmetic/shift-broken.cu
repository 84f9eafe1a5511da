// gridlock: verdict = refuted
// gridlock: kind = undefined-arithmetic
// gridlock: block = 40
// gridlock: why = threads from 32 on shift by the width or more

__global__ void masks(unsigned *out)
{
    int t = threadIdx.x;
    out[t] = 1u << t; // <-- guilty
}
