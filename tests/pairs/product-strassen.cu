// launch: --grid 1 --block 4
// after: proved
// wrong: refuted
// modulo: reals

// A product of matrices of two rows by seven products of numbers.
__global__ void before(const double *a, const double *b, double *c)
{
    int row = threadIdx.x / 2, column = threadIdx.x % 2;
    c[threadIdx.x] = a[row * 2] * b[column] + a[row * 2 + 1] * b[2 + column];
}
#define STRASSEN(LAST) \
    double m1 = (a[0] + a[3]) * (b[0] + b[3]), m2 = (a[2] + a[3]) * b[0], m3 = a[0] * (b[1] - b[3]); \
    double m4 = a[3] * (b[2] - b[0]), m5 = (a[0] + a[1]) * b[3], m6 = (a[2] - a[0]) * (b[0] + b[1]); \
    double m7 = (a[1] - a[3]) * (b[2] + b[3]); \
    if (threadIdx.x == 0) c[0] = m1 + m4 - m5 + m7; \
    if (threadIdx.x == 1) c[1] = m3 + m5; \
    if (threadIdx.x == 2) c[2] = m2 + m4; \
    if (threadIdx.x == 3) c[3] = m1 - m2 + m3 + LAST;
__global__ void after(const double *a, const double *b, double *c) { STRASSEN(m6) }
__global__ void wrong(const double *a, const double *b, double *c) { STRASSEN(m7) }
