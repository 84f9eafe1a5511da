// Control: loops of every kind, early exits, nested conditions, variables in odd places.

__device__ int collatz(unsigned n)
{
    int steps = 0;
    while (n != 1) {
        if (n % 2 == 0) {
            n /= 2;
        } else {
            n = 3 * n + 1;
        }
        steps++;
        if (steps > 200)
            break;
    }
    return steps;
}

__global__ void control(const int *a, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int last = 0;
    int best;
    bool seen = false;
    for (int k = 0; k < 10; k++) {
        if (a[(i + k) % n] < 0)
            continue;
        if (a[(i + k) % n] > 90)
            break;
        int square = a[(i + k) % n] * k;
        if (!seen || square > best)
            best = square;
        seen = true;
        last = k;
    }
    do {
        last += 3;
    } while (last < 5);
    for (int k = last; k > 0; k -= 2)
        for (int m = k; m < 12; m *= 2)
            last ^= m;
    if (last < 3)
        out[i] = 1;
    else if (last < 6)
        out[i] = last > 4 ? 2 : 3;
    else if (seen)
        out[i] = best;
    else
        out[i] = collatz(i + 1);
    int unused = a[i];
    unused += 3;
}

__global__ void volatile_tail(const int *in, int *out)
{
    __shared__ volatile int sums[64];
    unsigned t = threadIdx.x;
    sums[t] = in[blockIdx.x * blockDim.x + t];
    __syncthreads();
    for (unsigned s = blockDim.x / 2; s > 0; s /= 2) {
        int other = 0;
        if (t < s)
            other = sums[t + s];
        __syncthreads();
        if (t < s)
            sums[t] = sums[t] + other;
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = sums[0];
}
