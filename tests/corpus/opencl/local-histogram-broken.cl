// gridlock: verdict = refuted
// gridlock: kind = data-race
// gridlock: profile = opencl
// gridlock: grid = 2
// gridlock: block = 8
// gridlock: why = work-items of two groups read and write one bin

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
        bins[l] += own[l]; // <-- guilty
}
