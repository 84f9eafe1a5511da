// gridlock: verdict = refuted
// gridlock: kind = data-race
// gridlock: block = 8,8
// gridlock: few-block = 2,1
// gridlock: why = a cell may be read before the thread on the other side of the diagonal stores it

__global__ void transpose(const float *in, float *tile, float *out)
{
    int x = threadIdx.x;
    int y = threadIdx.y;
    tile[y * blockDim.x + x] = in[y * blockDim.x + x]; // <-- guilty
    out[y * blockDim.x + x] = tile[x * blockDim.x + y]; // <-- guilty
}
