// gridlock: verdict = passed
// gridlock: grid = 2
// gridlock: block = 4
// gridlock: arg = n=6
// gridlock: extent = a=n
// gridlock: extent = b=n
// gridlock: extent = c=n
// gridlock: few-block = 2
// gridlock: few-arg = n=3
// gridlock: why = threads beyond the last turn of the loop do nothing

__global__ void add(const int *a, const int *b, int *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        c[i] = a[i] + b[i];
}
