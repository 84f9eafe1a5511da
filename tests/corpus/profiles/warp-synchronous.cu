// gridlock: verdict = passed
// gridlock: profile = lockstep-warp
// gridlock: block = 32
// gridlock: few-block = 2
// gridlock: why = a warp in lockstep orders its instructions

__global__ void warp_sum(volatile int *cell, int *out)
{
    int t = threadIdx.x;
    if (t < 16) {
        cell[t] += cell[t + 16];
        cell[t] += cell[t + 8];
        cell[t] += cell[t + 4];
        cell[t] += cell[t + 2];
        cell[t] += cell[t + 1];
    }
    if (t == 0)
        out[0] = cell[0];
}
