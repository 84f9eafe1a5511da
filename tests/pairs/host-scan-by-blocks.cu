// launch: --arg n=64
// after: proved
// wrong: refuted

// Sums of all that comes before: on the host, and by blocks whose sums are scanned by another launch.
__global__ void scan(int *x, int *sums)
{
    __shared__ int s[16];
    int t = threadIdx.x, i = blockIdx.x * 16 + t;
    s[t] = x[i];
    __syncthreads();
    for (int d = 1; d < 16; d *= 2) {
        int before = t >= d ? s[t - d] : 0;
        __syncthreads();
        s[t] += before;
        __syncthreads();
    }
    x[i] = s[t];
    if (sums != nullptr && t == 15) sums[blockIdx.x] = s[t];
}
__global__ void add(int *x, const int *sums, int shift)
{
    if (blockIdx.x > 0) x[blockIdx.x * 16 + threadIdx.x] += sums[blockIdx.x - shift];
}
void before(int *a, int n)
{
    for (int i = 1; i < n; i++) a[i] += a[i - 1];
}
void by_blocks(int *a, int n, int shift)
{
    int *x, *sums;
    cudaMalloc(&x, n * sizeof(int));
    cudaMalloc(&sums, 16 * sizeof(int));
    cudaMemset(sums, 0, 16 * sizeof(int));
    cudaMemcpy(x, a, n * sizeof(int), cudaMemcpyHostToDevice);
    scan<<<n / 16, 16>>>(x, sums);
    scan<<<1, 16>>>(sums, nullptr);
    add<<<n / 16, 16>>>(x, sums, shift);
    cudaMemcpy(a, x, n * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(x);
    cudaFree(sums);
}
void after(int *a, int n) { by_blocks(a, n, 1); }
void wrong(int *a, int n) { by_blocks(a, n, 0); }
