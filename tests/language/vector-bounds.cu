// gridlock: verdict = proved
// gridlock: block = 32
// gridlock: extent = out=128
// gridlock: why = 32 pairs of doubles' bits are 128 words

__global__ void words(int *out)
{
    double2 *pairs = (double2 *)out;
    pairs[threadIdx.x] = make_double2(1.0, 2.0);
}
