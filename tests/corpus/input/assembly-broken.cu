// gridlock: verdict = error
// gridlock: kind = unsupported
// gridlock: block = 4
// gridlock: why = inline assembly has no meaning in the algebra

__global__ void lanes(int *out)
{
    int lane;
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    out[threadIdx.x] = lane;
}
