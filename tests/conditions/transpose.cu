// condition: blockDim.x == blockDim.y
// proofs: off
__global__ void transpose(const float *in, float *out)
{
    __shared__ float tile[32][32];
    int width = gridDim.x * blockDim.x;
    int height = gridDim.y * blockDim.y;
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    tile[threadIdx.y][threadIdx.x] = in[y * width + x];
    __syncthreads();
    x = blockIdx.y * blockDim.y + threadIdx.x;
    y = blockIdx.x * blockDim.x + threadIdx.y;
    out[y * height + x] = tile[threadIdx.x][threadIdx.y];
}
