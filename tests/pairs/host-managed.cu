// launch: --arg n=64
// after: proved
// wrong: refuted

// Copies, and memory that both sides reach; sums of blocks in a variable of the file. The wrong one leaves out one block at one value.
__device__ unsigned total;
__global__ void add(const unsigned *in, int n)
{
    __shared__ unsigned part[32];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    part[threadIdx.x] = i < n ? in[i] : 0;
    __syncthreads();
    for (int d = 16; d > 0; d /= 2) {
        if (threadIdx.x < d) part[threadIdx.x] += part[threadIdx.x + d];
        __syncthreads();
    }
    if (threadIdx.x == 0) atomicAdd(&total, part[0]);
}
unsigned before(const unsigned *a, int n)
{
    unsigned *in, sum = 0;
    cudaMalloc(&in, n * sizeof(unsigned));
    cudaMemcpy(in, a, n * sizeof(unsigned), cudaMemcpyHostToDevice);
    cudaMemcpyToSymbol(total, &sum, sizeof(unsigned));
    add<<<(n + 31) / 32, 32>>>(in, n);
    cudaMemcpyFromSymbol(&sum, total, sizeof(unsigned));
    cudaFree(in);
    return sum;
}
template <bool Differs> unsigned managed(const unsigned *a, int n)
{
    unsigned *in, sum = 0;
    cudaMallocManaged(&in, n * sizeof(unsigned));
    for (int i = 0; i < n; i++) in[i] = a[i];
    cudaMemcpyToSymbol(total, &sum, sizeof(unsigned));
    int taken = Differs && in[n - 1] == 12345 ? n - 32 : n;
    add<<<(n + 31) / 32, 32>>>(in, taken);
    cudaDeviceSynchronize();
    cudaMemcpyFromSymbol(&sum, total, sizeof(unsigned));
    cudaFree(in);
    return sum;
}
unsigned after(const unsigned *a, int n) { return managed<false>(a, n); }
unsigned wrong(const unsigned *a, int n) { return managed<true>(a, n); }
