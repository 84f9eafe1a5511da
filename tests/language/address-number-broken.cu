// gridlock: verdict = refuted
// gridlock: kind = data-race
// gridlock: grid = 2
// gridlock: block = 32
// gridlock: extent = words=128
// gridlock: why = bytes of one word are added where each thread has two

__global__ void fill(int *words)
{
    size_t at = (size_t)words;
    at += blockIdx.x * 64 * sizeof(int);
    int *mine = (int *)(at + threadIdx.x * sizeof(int));
    mine[0] = 1;
    mine[1] = 2; // <-- guilty
}
