// gridlock: verdict = refuted
// gridlock: kind = bad-barrier
// gridlock: block = 64
// gridlock: why = one half gathers 32 threads, the other 64, at one barrier

__global__ void halves(int *out)
{
    __shared__ int left;
    if (threadIdx.x >= 16 && threadIdx.x < 32) {
        asm volatile("bar.arrive 1, 32;" ::: "memory");
    } else if (threadIdx.x >= 32) {
        asm volatile("bar.sync 1, 64;" ::: "memory"); // <-- guilty
        out[threadIdx.x] = 1;
    }
}
