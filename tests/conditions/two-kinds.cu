// condition: blockDim.x <= 64 and gridDim.x == 1
// kind: data-race: gridDim.x == 1
// kind: out-of-bounds: blockDim.x <= 64
__global__ void tile(const int *in, int *out)
{
    __shared__ int s[64];
    s[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = s[threadIdx.x];
}
