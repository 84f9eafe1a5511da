// gridlock: verdict = refuted
// gridlock: kind = assertion
// gridlock: grid = 1
// gridlock: block = 8
// gridlock: why = an exchange too many

__device__ void exchange(int **a, int **b)
{
    int *held = *a;
    *a = *b;
    *b = held;
}

__device__ void twice(int **a, int **b)
{
    exchange(a, b);
    exchange(b, a);
    exchange(a, b);
    exchange(a, b);
    a[0][threadIdx.x] = (*b)[threadIdx.x];
}

__global__ void copy(int *from, int *to)
{
    int *in = to;
    int *out = from;
    twice(&out, &in);
    assert(in == from && out == to); // <-- guilty
}
