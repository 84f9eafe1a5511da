// gridlock: verdict = proved
// gridlock: grid = 2
// gridlock: block = 32
// gridlock: extent = words=128
// gridlock: why = an address kept as a number: bytes are added to it, and it becomes a pointer again

__global__ void fill(int *words)
{
    size_t at = (size_t)words;
    at += blockIdx.x * 64 * sizeof(int);
    int *mine = (int *)(at + threadIdx.x * 2 * sizeof(int));
    mine[0] = 1;
    mine[1] = 2;
}
