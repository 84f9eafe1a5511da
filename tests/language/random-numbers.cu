// gridlock: verdict = passed
// gridlock: grid = 1
// gridlock: block = 32
// gridlock: why = each thread has a generator of its own, and what it draws lies within 0 and 1

#include <assert.h>
#include <curand_kernel.h>

__global__ void draw(curandState *states, float *out)
{
    int i = threadIdx.x;
    curand_init(1234, i, 0, &states[i]);
    curandState mine = states[i];
    float x = curand_uniform(&mine);
    assert(x > 0.0f && x <= 1.0f);
    out[i] = x + curand_normal(&mine);
    states[i] = mine;
}
