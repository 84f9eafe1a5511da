// gridlock: verdict = passed
// gridlock: profile = opencl
// gridlock: grid = 2
// gridlock: block = 4
// gridlock: why = the barrier orders global memory within the group

kernel void neighbour(global int *scratch, global int *out)
{
    size_t i = get_global_id(0);
    size_t first = get_group_id(0) * get_local_size(0);
    scratch[i] = (int)get_local_id(0);
    barrier(CLK_GLOBAL_MEM_FENCE);
    out[i] = scratch[first + (get_local_id(0) + 1) % get_local_size(0)];
}
