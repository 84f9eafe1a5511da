// gridlock: verdict = passed
// gridlock: block = 8,8
// gridlock: why = the tile is complete before it is read across

__global__ void transpose(const float *in, float *tile, float *out)
{
    int x = threadIdx.x;
    int y = threadIdx.y;
    tile[y * 8 + x] = in[y * 8 + x];
    __syncthreads();
    out[y * 8 + x] = tile[x * 8 + y];
}
