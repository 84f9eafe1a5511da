// gridlock: verdict = refuted
// gridlock: kind = data-race
// gridlock: block = 32
// gridlock: why = a word is read while its bytes are written

__global__ void pack(unsigned int *out, const unsigned char *in)
{
    __shared__ unsigned char bytes[32];
    int t = threadIdx.x;
    if (t < 8)
        ((unsigned int *)bytes)[t] = 0;
    __syncthreads();
    bytes[t] = in[t]; // <-- guilty
    if (t < 8)
        out[t] = ((unsigned int *)bytes)[t]; // <-- guilty
}
