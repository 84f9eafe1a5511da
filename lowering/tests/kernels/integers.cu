// Integer arithmetic of every width: what wraps, what promotes, what converts.

__global__ void integers(const int *a, const int *b, int *out, const unsigned *u, unsigned *v,
                         const long long *w, long long *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int p = a[i] * 90000007, q = b[i] * 70000001;
    out[i] = p + q - (p ^ q) * 3 + (p >> 3) - -q;
    unsigned s = u[i] * 4000000007u + 5;
    v[i] = (s << 3) | (s >> 29) ^ ~s;
    long long t = w[i] * 4611686018427387905ll + a[i];
    x[i] = t - (t >> 7) + s - i;
    if (b[i] != 0)
        out[i] += p % b[i] + p / b[i];
    if (-p > q || (unsigned)p > s)
        v[i] -= 1;
}

__global__ void narrow(const signed char *a, const unsigned char *b, short *c, unsigned short *d,
                       signed char *e, unsigned char *f, int n)
{
    int i = threadIdx.x;
    if (i < n) {
        signed char x = a[i];
        unsigned char y = b[i];
        short z = x * y;
        unsigned short w = z - y;
        c[i] = z * 300 + w;
        d[i] = w * w;
        x += 100;
        y -= 7;
        e[i] = x;
        f[i] = ~y;
        if (x < y)
            f[i] ^= x;
        w <<= 9;
        z >>= 2;
        d[i] += w + z;
        e[i] -= -x;
    }
}
