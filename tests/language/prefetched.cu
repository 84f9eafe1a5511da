// gridlock: verdict = passed
// gridlock: block = 32
// gridlock: extent = a=64
// gridlock: extent = b=32
// gridlock: why = inline assembly prefetches, and loads what nobody writes through the read-only cache

__device__ float loaded(const float *p)
{
    float x;
    asm volatile("ld.global.nc.f32 %0, [%1];" : "=f"(x) : "l"(p));
    return x;
}

__global__ void shifted(const float *a, float *b)
{
    int t = threadIdx.x;
    unsigned int lane;
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    asm volatile("prefetch.global.L2 [%0];" ::"l"(a + t + 32));
    b[t] = loaded(a + t) + loaded(a + t + 32);
    assert(lane == t);
}
