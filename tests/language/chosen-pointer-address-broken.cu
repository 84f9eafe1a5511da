// gridlock: verdict = refuted
// gridlock: kind = data-race
// gridlock: grid = 1
// gridlock: block = 2
// gridlock: why = the address was taken before the callee changed the subscript

__device__ void mark(int **at, int &i, int by)
{
    i += by;
    **at = by; // <-- guilty
}

__global__ void store(int *s)
{
    int *q[2] = {s, s + 1};
    int i = 0;
    mark(&q[i], i, threadIdx.x);
}
