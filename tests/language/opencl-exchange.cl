// gridlock: verdict = passed
// gridlock: profile = opencl
// gridlock: grid = 1
// gridlock: block = 2
// gridlock: why = the largest number by comparing and exchanging, and a flag that one work-item sets first

kernel void largest(global atomic_uint *most, global const uint *in)
{
    uint mine = in[get_global_id(0)];
    uint seen = atomic_load(most);
    while (seen < mine && !atomic_compare_exchange_strong(most, &seen, mine))
        ;
}

kernel void first(global uint *out)
{
    local atomic_flag taken;
    if (get_local_id(0) == 0)
        atomic_flag_clear(&taken);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (!atomic_flag_test_and_set(&taken))
        out[0] = get_local_id(0);
}
