// gridlock: verdict = passed
// gridlock: profile = opencl
// gridlock: grid = 2
// gridlock: block = 4
// gridlock: arg = n=6
// gridlock: why = all work-items meet the barrier, those beyond the end as well

kernel void shift(global const int *in, global int *out, int n)
{
    local int seen[4];
    int i = get_global_id(0), l = get_local_id(0);
    seen[l] = i < n ? in[i] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i < n)
        out[i] = seen[(l + 1) % 4];
}
