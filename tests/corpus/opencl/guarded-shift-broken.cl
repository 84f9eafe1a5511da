// gridlock: verdict = refuted
// gridlock: kind = barrier-divergence
// gridlock: profile = opencl
// gridlock: grid = 2
// gridlock: block = 4
// gridlock: arg = n=6
// gridlock: why = work-items beyond the end return before a barrier that others wait at

kernel void shift(global const int *in, global int *out, int n)
{
    local int seen[4];
    int i = get_global_id(0), l = get_local_id(0);
    if (i >= n)
        return;
    seen[l] = in[i];
    barrier(CLK_LOCAL_MEM_FENCE); // <-- guilty
    out[i] = l < 3 && i + 1 < n ? seen[l + 1] : seen[l];
}
