// gridlock: verdict = refuted
// gridlock: kind = data-race
// gridlock: block = 32
// gridlock: arg = steps=3
// gridlock: few-block = 2
// gridlock: few-arg = steps=2
// gridlock: why = a thread may store its cell while its neighbour still reads it

__global__ void relax(int *a, int steps)
{
    __shared__ int cell[32];
    int t = threadIdx.x;
    cell[t] = a[t];
    __syncthreads();
    for (int k = 0; k < steps; k++) {
        int next = cell[(t + 1) % blockDim.x]; // <-- guilty
        cell[t] = next; // <-- guilty
        __syncthreads();
    }
    a[t] = cell[t];
}
