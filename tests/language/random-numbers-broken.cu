// gridlock: verdict = refuted
// gridlock: kind = data-race
// gridlock: grid = 1
// gridlock: block = 32
// gridlock: why = all threads draw from one generator, each changing its state

#include <curand_kernel.h>

__global__ void draw(curandState *state, float *out)
{
    out[threadIdx.x] = curand_uniform(state); // <-- guilty
}
