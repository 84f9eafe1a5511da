// gridlock: verdict = passed
// gridlock: block = 2
// gridlock: arg = t=3
// gridlock: why = the counter that wraps around below 0 ends the loop

__global__ void down(int *a, unsigned t)
{
    int sum = 0;
    for (unsigned i = t; i != 4294967295u; i--)
        sum += 3;
    a[threadIdx.x] = sum;
}
