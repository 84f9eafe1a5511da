// gridlock: verdict = passed
// gridlock: grid = 2,2
// gridlock: block = 4,4
// gridlock: arg = n=8
// gridlock: extent = a=n*n
// gridlock: extent = b=n*n
// gridlock: extent = c=n*n
// gridlock: why = a thread computes one cell

__global__ void product(const int *a, const int *b, int *c, int n)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int sum = 0;
    for (int k = 0; k < n; k++)
        sum += a[row * n + k] * b[k * n + col];
    c[row * n + col] = sum;
}
