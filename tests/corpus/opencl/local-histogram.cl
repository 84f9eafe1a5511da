// gridlock: verdict = passed
// gridlock: profile = opencl
// gridlock: grid = 2
// gridlock: block = 8
// gridlock: why = atomic additions whose results nobody uses commute

kernel void histogram(global const uchar *in, global uint *bins)
{
    local uint own[4];
    size_t l = get_local_id(0);
    if (l < 4)
        own[l] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_inc(&own[in[get_global_id(0)] & 3]);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < 4)
        atomic_add(&bins[l], own[l]);
}
