// launch: --grid 1 --block 32
// after: proved
// wrong: refuted

// There and back.
__global__ void before(const unsigned *a, unsigned *b)
{
    int i = threadIdx.x;
    b[i] = a[i];
}
__global__ void after(const unsigned *a, unsigned *b)
{
    int i = threadIdx.x;
    unsigned g = a[i] ^ a[i] >> 1; g ^= g >> 16; g ^= g >> 8; g ^= g >> 4; g ^= g >> 2; b[i] = g ^ g >> 1;
}
__global__ void wrong(const unsigned *a, unsigned *b)
{
    int i = threadIdx.x;
    unsigned g = a[i] ^ a[i] >> 1; g ^= g >> 16; g ^= g >> 8; g ^= g >> 4; g ^= g >> 1; b[i] = g ^ g >> 1;
}
