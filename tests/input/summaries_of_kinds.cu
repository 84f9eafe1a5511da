// Numbers that are read in several ways: what is signed, how wide it is, whether its bits are those of a float.

__global__ void bytes(const unsigned char *a, unsigned char *b)
{
    b[threadIdx.x] = (a[threadIdx.x] * 3 + 7) >> 1;
}

__global__ void equal_bytes(const signed char *a, const unsigned char *b, int *c)
{
    c[threadIdx.x] = (unsigned char)a[threadIdx.x] == 200 ? b[threadIdx.x] == 200 : b[threadIdx.x] == 255;
}

__global__ void extended(const int *a, const unsigned *b, long long *c)
{
    c[2 * threadIdx.x] = (long long)(unsigned)a[threadIdx.x] + a[threadIdx.x];
    c[2 * threadIdx.x + 1] = (long long)(int)b[threadIdx.x] + b[threadIdx.x];
}

__global__ void compared(const int *a, const unsigned *b, int *c)
{
    int i = threadIdx.x;
    c[4 * i] = (int)b[i] < 0;
    c[4 * i + 1] = (unsigned)a[i] < b[i];
    c[4 * i + 2] = (int)b[i] / 3 + (int)((unsigned)a[i] / 3);
    c[4 * i + 3] = ((int)b[i] >> 3) + max((int)b[i], a[i]) + (int)max(b[i], (unsigned)a[i]);
}

__global__ void converted(const int *a, const unsigned *b, float *c)
{
    int i = threadIdx.x;
    c[2 * i] = (float)(unsigned)a[i] + (float)a[i];
    c[2 * i + 1] = (float)(int)b[i] + (float)b[i];
}

__global__ void bits(const float *a, int *b, float *c)
{
    int i = threadIdx.x;
    b[i] = (__float_as_int(a[i]) & 0x7fffffff) + __float_as_int(a[i] + 1);
    c[i] = __int_as_float(__float_as_int(a[i]) ^ 0x80000000);
}

__global__ void shifted(const int *a, const unsigned char *b, long long *c)
{
    int i = threadIdx.x;
    c[2 * i] = 1ll << (a[i] & 63);
    c[2 * i + 1] = (unsigned char)(b[i] + b[i + 1]) == 200 ? (unsigned char)(b[i] + 200) : 0;
}

__global__ void named(const int *i, int *j)
{
    int k = threadIdx.x;
    j[k] = i[k] + 1;
}

__global__ void required(int *a, int n)
{
    __requires(n == 8);
    extern __shared__ int s[];
    s[threadIdx.x] = a[threadIdx.x];
    __syncthreads();
    if (n == 8)
        a[threadIdx.x] = s[threadIdx.x] * n;
    printf("%d\n", n);
}

// Floats that vary evenly.
__global__ void even(float *a)
{
    int i = threadIdx.x;
    a[i] = a[i] * (float)(2 * i - 3);
}
