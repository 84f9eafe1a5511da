// gridlock: verdict = unknown
// gridlock: kind = weak-memory
// gridlock: grid = 2
// gridlock: block = 1
// gridlock: why = two tickets in a row may be drawn in another order than the program's

__device__ int arrivals;
__device__ int departures;

__global__ void ticket(int *seen)
{
    int first = atomicAdd(&arrivals, 1);
    int second = atomicAdd(&departures, 1);
    seen[blockIdx.x] = first + 10 * second;
}
