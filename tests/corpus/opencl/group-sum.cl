// gridlock: verdict = passed
// gridlock: profile = opencl
// gridlock: grid = 2
// gridlock: block = 8
// gridlock: shared-bytes = 32
// gridlock: why = every step of the sum ends at a barrier that all work-items meet

kernel void group_sum(global const int *in, global int *out, local int *part)
{
    size_t l = get_local_id(0);
    part[l] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (size_t s = get_local_size(0) / 2; s > 0; s >>= 1) {
        if (l < s)
            part[l] += part[l + s];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0)
        out[get_group_id(0)] = part[0];
}
