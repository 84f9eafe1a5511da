// gridlock: verdict = refuted
// gridlock: kind = out-of-bounds
// gridlock: grid = 2
// gridlock: block = 4
// gridlock: arg = n=6
// gridlock: extent = a=n
// gridlock: extent = b=n
// gridlock: extent = c=n
// gridlock: few-block = 2
// gridlock: few-arg = n=3
// gridlock: why = the number of turns is no multiple of the block size, and nothing keeps the rest away

__global__ void add(const int *a, const int *b, int *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    c[i] = a[i] + b[i]; // <-- guilty
}
