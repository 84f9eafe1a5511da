// gridlock: verdict = refuted
// gridlock: kind = data-race
// gridlock: block = 4
// gridlock: extent = sum=1
// gridlock: why = the first look at the sum is a plain read

__device__ double add(double *address, double value)
{
    unsigned long long *bits = (unsigned long long *)address;
    unsigned long long old = *bits, assumed; // <-- guilty
    do {
        assumed = old;
        double sum = value + __longlong_as_double(assumed);
        old = atomicCAS(bits, assumed, __double_as_longlong(sum)); // <-- guilty
    } while (assumed != old);
    return __longlong_as_double(old);
}

__global__ void total(double *sum)
{
    add(sum, 1.0);
}
