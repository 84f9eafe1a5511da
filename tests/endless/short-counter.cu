// gridlock: verdict = passed
// gridlock: block = 1
// gridlock: arg = n=3000
// gridlock: why = n is less than the counter's 16 bits hold

__global__ void count(int *a, int n)
{
    for (unsigned short i = 0; i < n; i++)
        a[0] = i;
}
