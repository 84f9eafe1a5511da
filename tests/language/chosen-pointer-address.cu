// gridlock: verdict = proved
// gridlock: grid = 1
// gridlock: block = 2
// gridlock: why = the address was taken before the callee changed the subscript

__device__ void mark(int **at, int &i)
{
    i = 0;
    **at = 1;
}

__global__ void store(int *s)
{
    int *q[2] = {s, s + 1};
    int i = threadIdx.x;
    mark(&q[i], i);
}
