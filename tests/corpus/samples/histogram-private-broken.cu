// gridlock: verdict = refuted
// gridlock: kind = data-race
// gridlock: grid = 2
// gridlock: block = 16
// gridlock: arg = n=75
// gridlock: extent = data=n
// gridlock: extent = histogram=16
// gridlock: few-grid = 1
// gridlock: few-block = 2
// gridlock: few-arg = n=3
// gridlock: why = a thread adds its bin to the total while others still count in it

#define NUM_BINS 16

__global__ void histogram(const unsigned char *__restrict__ data, unsigned int *histogram, int n)
{
    __shared__ unsigned int bins[NUM_BINS];

    for (int b = threadIdx.x; b < NUM_BINS; b += blockDim.x)
        bins[b] = 0;
    __syncthreads();

    int stride = blockDim.x * gridDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
        atomicAdd(&bins[data[i] >> 4], 1u);

    for (int b = threadIdx.x; b < NUM_BINS; b += blockDim.x) {
        if (bins[b] > 0) // <-- guilty
            atomicAdd(&histogram[b], bins[b]);
    }
}
