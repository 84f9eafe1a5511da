// gridlock: verdict = passed
// gridlock: block = 8,8
// gridlock: few-block = 2,1
// gridlock: why = the tile is complete before it is read across

__global__ void transpose(const float *in, float *tile, float *out)
{
    int x = threadIdx.x;
    int y = threadIdx.y;
    tile[y * blockDim.x + x] = in[y * blockDim.x + x];
    __syncthreads();
    out[y * blockDim.x + x] = tile[x * blockDim.x + y];
}
