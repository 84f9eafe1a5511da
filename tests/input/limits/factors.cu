// Whether the last store is ever reached asks for the factors of a number.
__global__ void k(int *out, unsigned p, unsigned q)
{
    out[threadIdx.x] = 1;
    if (p > 1 && q > 1 && (unsigned long long) p * q == 13043817470411824177ull) {
        out[threadIdx.x + 32] = 2;
    }
}
