// gridlock: verdict = refuted
// gridlock: kind = data-race
// gridlock: block = 32
// gridlock: why = the neighbour reads as a float what is written as an integer

__global__ void negate(float *a, int *bits)
{
    int t = threadIdx.x;
    float next = a[(t + 1) % blockDim.x]; // <-- guilty
    ((int *)a)[t] ^= 0x80000000; // <-- guilty
    bits[t] = __float_as_int(next);
}
