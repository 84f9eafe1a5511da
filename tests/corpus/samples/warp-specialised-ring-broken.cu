// gridlock: verdict = refuted
// gridlock: kind = data-race
// gridlock: block = 2
// gridlock: arg = n=3
// gridlock: extent = in=n
// gridlock: extent = out=n
// gridlock: why = the producer fills a slot without asking whether its last content has been taken

// Thread 0 produces, thread 1 consumes, through a ring of two slots with a flag each.

#define SLOTS 2

__global__ void ring(const int *in, int *out, int n)
{
    __shared__ int slot[SLOTS];
    __shared__ int full[SLOTS];

    if (threadIdx.x < SLOTS)
        full[threadIdx.x] = 0;
    __syncthreads();

    if (threadIdx.x == 0) {
        for (int i = 0; i < n; i++) {
            int s = i % SLOTS;
            slot[s] = 2 * in[i]; // <-- guilty
            __threadfence_block();
            atomicExch(&full[s], 1);
            __threadfence_block();
        }
    } else if (threadIdx.x == 1) {
        for (int i = 0; i < n; i++) {
            int s = i % SLOTS;
            while (atomicAdd(&full[s], 0) != 1) {
            }
            __threadfence_block();
            out[i] = slot[s];
            __threadfence_block();
            atomicExch(&full[s], 0);
            __threadfence_block();
        }
    }
}
