// gridlock: verdict = refuted
// gridlock: kind = out-of-bounds
// gridlock: why = a launch may have one thread more than the array has elements

constexpr int warps = 2;

template <int threads>
__global__ void __launch_bounds__(threads, 4) reverse(const int *in, int *out)
{
    __shared__ int s[warps * 32];
    s[threadIdx.x] = in[blockIdx.x * blockDim.x + threadIdx.x];
    __syncthreads();
    out[blockIdx.x * blockDim.x + threadIdx.x] = s[blockDim.x - 1 - threadIdx.x];
}

template __global__ void reverse<warps * 32 + 1>(const int *, int *);
