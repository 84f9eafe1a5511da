// gridlock: verdict = unknown
// gridlock: kind = weak-memory
// gridlock: grid = 2
// gridlock: block = 2
// gridlock: why = a thread acts on another's cell because of what an atomic returned, without a fence

__device__ int cell[4];
__device__ int ticket;

__global__ void last_one(int *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicExch(&cell[i], i + 1);
    if (atomicAdd(&ticket, 1) == 3)
        out[0] = atomicAdd(&cell[0], 0);
}
