// gridlock: verdict = passed
// gridlock: grid = 4
// gridlock: block = 16
// gridlock: arg = pitch=128
// gridlock: extent = rows=64
// gridlock: why = rows lie a pitch of bytes apart, and each thread writes a vector of its own

__global__ void fill(float2 *rows, size_t pitch)
{
    float2 *mine = (float2 *)((char *)rows + blockIdx.x * pitch) + threadIdx.x;
    mine->x = 1.0f;
    mine->y = 2.0f;
}
