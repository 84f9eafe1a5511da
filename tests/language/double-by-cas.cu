// gridlock: verdict = passed
// gridlock: block = 4
// gridlock: extent = sum=1
// gridlock: why = a double is added by comparing and swapping its 64 bits until nobody came between

__device__ double add(double *address, double value)
{
    unsigned long long *bits = (unsigned long long *)address;
    unsigned long long old = atomicCAS(bits, 0ull, 0ull), assumed;
    do {
        assumed = old;
        double sum = value + __longlong_as_double(assumed);
        old = atomicCAS(bits, assumed, __double_as_longlong(sum));
    } while (assumed != old);
    return __longlong_as_double(old);
}

__global__ void total(double *sum)
{
    add(sum, 1.0);
}
