// Pairs of kernels that differ for few numbers, or for none: tests/gridlock/sampling.rs.

#define I (blockIdx.x * blockDim.x + threadIdx.x)

__global__ void bits_of_64(const unsigned long long *in, int *out) { out[I] = __popcll(in[I]); }
__global__ void bits_of_a_byte(const unsigned long long *in, int *out) { out[I] = __popc(in[I] & 0xff); }

__global__ void shift_unsigned(const unsigned *in, unsigned *out) { out[I] = in[I] >> 3; }
__global__ void shift_signed(const unsigned *in, unsigned *out) { out[I] = (int)in[I] >> 3; }

__global__ void identity(const float *in, float *out, int n) { if (I < n) out[I] = in[I]; }
__global__ void identity_again(float *in, float *out, int n) { if (!(I >= n)) out[I] = in[I]; }
__global__ void at_most_100(const float *in, float *out, int n) { if (I < n) out[I] = fminf(in[I], 100.0f); }
__global__ void plus_zero(const float *in, float *out, int n) { if (I < n) out[I] = in[I] + 0.0f; }
__global__ void unless_nan(const float *in, float *out, int n) { if (I < n) out[I] = in[I] == in[I] ? in[I] : 0.0f; }
__global__ void unless_infinite(const float *in, float *out, int n)
{
    if (I < n) out[I] = fabsf(in[I]) > 3.4028235e38f ? 0.0f : in[I];
}
__global__ void flushed(const float *in, float *out, int n)
{
    if (I < n) out[I] = fabsf(in[I]) < 1.1754944e-38f ? in[I] * 0.0f : in[I];
}

__global__ void sum_forward(const float *in, float *out)
{
    float s = 0.0f;
    for (int j = 0; j < 16; j++) s += in[I * 16 + j];
    out[I] = s;
}
__global__ void sum_backward(const float *in, float *out)
{
    float s = 0.0f;
    for (int j = 15; j >= 0; j--) s += in[I * 16 + j];
    out[I] = s;
}
__global__ void sum_but_one(const float *in, float *out)
{
    float s = 0.0f;
    for (int j = 1; j < 16; j++) s += in[I * 16 + j];
    out[I] = s;
}
__global__ void sum_ints_forward(const int *in, int *out)
{
    int s = 0;
    for (int j = 0; j < 16; j++) s += in[I * 16 + j];
    out[I] = s;
}
__global__ void sum_ints_backward(const int *in, int *out)
{
    int s = 0;
    for (int j = 15; j >= 0; j--) s += in[I * 16 + j];
    out[I] = s;
}

__global__ void next(const int *in, int *out) { out[I] = (unsigned)in[I] + 1u; }
__global__ void next_again(const int *in, int *out) { out[I] = 2u + (unsigned)in[I] - 1u; }
__global__ void next_but_12345(const int *in, int *out) { out[I] = in[I] == 12345 ? 0 : (unsigned)in[I] + 1u; }
__global__ void next_but_12346(const int *in, int *out) { out[I] = in[I] > 12345 && in[I] < 12347 ? 0 : (unsigned)in[I] + 1u; }
__global__ void next_but_abs_12345(const int *in, int *out) { out[I] = abs(in[I]) == 12345 ? 0 : (unsigned)in[I] + 1u; }
__global__ void never_otherwise(const int *in, int *out)
{
    int v = in[I];
    if (v > 7 && (v & 8) == 0 && v < 16) // never
        out[I] = 3;
    else
        out[I] = (unsigned)v + 1u;
}

__global__ void masked(const unsigned *in, unsigned *out, unsigned mask) { out[I] = in[I] & mask; }
__global__ void masked_low(const unsigned *in, unsigned *out, unsigned mask) { out[I] = in[I] & (mask & 0xffffu); }

__global__ void gather(const int *at, const int *in, int *out) { out[I] = in[at[I]]; }
__global__ void gather_again(const int *at, int *in, int *out) { const int *p = in + at[I]; out[I] = *p; }
__global__ void gather_but_last(const int *at, const int *in, int *out)
{
    out[I] = at[I] == gridDim.x * blockDim.x - 1 ? 0 : in[at[I]];
}

__global__ void halved(const unsigned *in, unsigned *out) { out[I] = in[I] / 2u; }
__global__ void halved_by_shift(const unsigned *in, unsigned *out) { out[I] = in[I] >> 1; }

__global__ void by_its_size(const float *size, int *out)
{
    int n = (int)size[I];
    int s = 0;
    for (int j = 0; j < n; j++) s += j;
    out[I] = s;
}
__global__ void by_its_size_again(const float *size, int *out)
{
    int s = 0;
    for (int n = (int)size[I], j = n - 1; j >= 0; j--) s += j;
    out[I] = s;
}

__global__ void grows(const int *in, int *out) { out[I] = in[I] + 1 > in[I]; }
__global__ void one(const int *in, int *out) { out[I] = 1; }

__constant__ float table[4];
__constant__ float given[4] = {1.0f, 2.0f, 4.0f, 8.0f};

__global__ void by_table(const float *in, float *out) { out[I] = in[I] * table[I % 4]; }
__global__ void by_table_again(const float *in, float *out) { out[I] = table[I & 3] * in[I]; }
__global__ void by_table_turned(const float *in, float *out) { out[I] = in[I] * table[(I + 1) % 4]; }
__global__ void by_given_table(const float *in, float *out) { out[I] = in[I] * given[I % 4]; }
__global__ void by_numbers(const float *in, float *out) { out[I] = in[I] * (float)(1 << (I % 4)); }

int closed() { int s = 0; for (int j = 0; j < 9; j++) s += j; return s; }
int closed_again() { return 36; }
int closed_other() { return 37; }
