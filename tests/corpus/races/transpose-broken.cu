// gridlock: verdict = refuted
// gridlock: kind = data-race
// gridlock: block = 8,8
// gridlock: why = a cell may be read before the thread on the other side of the diagonal stores it

__global__ void transpose(const float *in, float *tile, float *out)
{
    int x = threadIdx.x;
    int y = threadIdx.y;
    tile[y * 8 + x] = in[y * 8 + x]; // <-- guilty
    out[y * 8 + x] = tile[x * 8 + y]; // <-- guilty
}
