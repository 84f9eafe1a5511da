// gridlock: verdict = passed
// gridlock: block = 40
// gridlock: why = the distance of the shift is below the width

__global__ void masks(unsigned *out)
{
    int t = threadIdx.x;
    out[t] = 1u << (t % 32);
}
