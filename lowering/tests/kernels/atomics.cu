// Read-modify-write.

__device__ unsigned counter;

__global__ void histogram(const unsigned char *data, unsigned *bins, int n)
{
    __shared__ unsigned local_bins[16];
    if (threadIdx.x < 16)
        local_bins[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&local_bins[data[i] & 15], 1u);
    __syncthreads();
    if (threadIdx.x < 16)
        atomicAdd(bins + threadIdx.x, local_bins[threadIdx.x]);
}

__global__ void extremes(const int *data, int *least, int *most, unsigned *bits, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        atomicMin(least, data[i]);
        atomicMax(most, data[i]);
        atomicOr(bits, 1u << (data[i] & 31));
        atomicAdd(&counter, 1u);
    }
}
