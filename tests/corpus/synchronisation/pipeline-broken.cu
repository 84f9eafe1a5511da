// gridlock: verdict = refuted
// gridlock: kind = deadlock
// gridlock: block = 64
// gridlock: arg = rounds=2
// gridlock: why = the consumer never says that the buffer is empty again

__device__ void wait(int id)
{
    asm volatile("bar.sync %0, 64;" :: "r"(id) : "memory");
}

__device__ void arrive(int id)
{
    asm volatile("bar.arrive %0, 64;" :: "r"(id) : "memory");
}

__global__ void pipeline(const int *in, int *out, int rounds)
{
    __shared__ int buffer[32];
    int lane = threadIdx.x % 32;
    if (threadIdx.x < 32) {
        for (int i = 0; i < rounds; i++) {
            wait(2);
            buffer[lane] = in[i * 32 + lane];
            arrive(1);
        }
        wait(2);
    } else {
        arrive(2);
        for (int i = 0; i < rounds; i++) {
            wait(1);
            out[i * 32 + lane] = buffer[31 - lane];
        }
    }
}
