// gridlock: verdict = error
// gridlock: kind = unsupported
// gridlock: block = 4
// gridlock: why = what the driver leaves in a register has no meaning in the algebra

__global__ void lanes(int *out)
{
    int lane;
    asm("mov.u32 %0, %%envreg7;" : "=r"(lane));
    out[threadIdx.x] = lane;
}
