// launch: --grid 1 --block 32
// after: proved
// wrong: refuted

// By exchange of halves.
__global__ void before(const unsigned *a, unsigned *b)
{
    int i = threadIdx.x;
    b[i] = __brev(a[i]);
}
__global__ void after(const unsigned *a, unsigned *b)
{
    int i = threadIdx.x;
    unsigned x = a[i];
    x = (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;
    x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;
    x = (x >> 4 & 0x0f0f0f0fu) | (x & 0x0f0f0f0fu) << 4;
    x = (x >> 8 & 0x00ff00ffu) | (x & 0x00ff00ffu) << 8;
    b[i] = x >> 16 | x << 16;
}
__global__ void wrong(const unsigned *a, unsigned *b)
{
    int i = threadIdx.x;
    unsigned x = a[i];
    x = (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;
    x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;
    x = (x >> 4 & 0x0f0f0f0fu) | (x & 0x0f0f0f07u) << 4;
    x = (x >> 8 & 0x00ff00ffu) | (x & 0x00ff00ffu) << 8;
    b[i] = x >> 16 | x << 16;
}
