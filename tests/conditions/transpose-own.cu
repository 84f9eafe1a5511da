// condition: blockDim.x <= 32 and blockDim.y <= 32
// proofs: off
// Each thread reads what it wrote; in a larger block several write one element.
__global__ void transpose(const float *in, float *out)
{
    __shared__ float tile[32][32];
    int width = gridDim.x * blockDim.x;
    int height = gridDim.y * blockDim.y;
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    tile[threadIdx.y % 32][threadIdx.x % 32] = in[y * width + x];
    __syncthreads();
    out[x * height + y] = tile[threadIdx.y % 32][threadIdx.x % 32];
}
