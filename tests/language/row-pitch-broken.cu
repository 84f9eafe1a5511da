// gridlock: verdict = refuted
// gridlock: kind = data-race
// gridlock: grid = 4
// gridlock: block = 16
// gridlock: arg = pitch=64
// gridlock: extent = rows=64
// gridlock: why = rows of sixteen vectors lie only eight vectors apart

__global__ void fill(float2 *rows, size_t pitch)
{
    float2 *mine = (float2 *)((char *)rows + blockIdx.x * pitch) + threadIdx.x;
    mine->x = 1.0f; // <-- guilty
    mine->y = 2.0f;
}
