// gridlock: verdict = passed
// gridlock: grid = 2
// gridlock: block = 2
// gridlock: why = the ticket is the only place atomics touch; coherence orders them

__device__ int next_ticket;

__global__ void ticket(int *slots)
{
    int mine = atomicAdd(&next_ticket, 1);
    slots[mine] = threadIdx.x;
}
