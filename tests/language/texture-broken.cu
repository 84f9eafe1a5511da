// gridlock: verdict = refuted
// gridlock: kind = data-race
// gridlock: grid = 2
// gridlock: block = 16
// gridlock: why = what the texture holds may send two threads to one cell

texture<int, 1, cudaReadModeElementType> table;

__global__ void scatter(int *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[tex1Dfetch(table, i) & 3] = i; // <-- guilty
}
