// gridlock: verdict = unknown
// gridlock: kind = weak-memory
// gridlock: grid = 2
// gridlock: block = 1
// gridlock: why = both may read 0, which no interleaving shows

__device__ int x;
__device__ int y;

__global__ void store_buffer(int *out)
{
    if (blockIdx.x == 0) {
        atomicExch(&x, 1);
        out[0] = atomicAdd(&y, 0);
    } else {
        atomicExch(&y, 1);
        out[1] = atomicAdd(&x, 0);
    }
}
