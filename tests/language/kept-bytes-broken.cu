// gridlock: verdict = refuted
// gridlock: kind = misaligned-access
// gridlock: grid = 2
// gridlock: block = 8
// gridlock: extent = words=16
// gridlock: why = a step of six bytes ends inside a word

__global__ void fill(float2 *words)
{
    char *bytes = (char *)words + blockIdx.x * blockDim.x * sizeof(float2);
    int step = 6;
    float2 *mine = (float2 *)(bytes + step * threadIdx.x); // <-- guilty
    mine->x = 1.0f;
    assert(mine == &words[blockIdx.x * blockDim.x + threadIdx.x]);
    assert((char *)(words + 3) - (char *)words == 24);
}
