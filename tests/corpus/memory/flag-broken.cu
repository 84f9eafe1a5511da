// gridlock: verdict = refuted
// gridlock: kind = data-race
// gridlock: grid = 1
// gridlock: block = 2
// gridlock: why = a flag that is no atomic is a race, fences or not

__device__ int ready;
__device__ int data;

__global__ void flag(int *out)
{
    if (threadIdx.x == 0) {
        data = 42;
        __threadfence();
        ready = 1;
    } else if (ready == 1) { // <-- guilty
        __threadfence();
        out[0] = data;
    }
}
