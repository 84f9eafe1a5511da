// gridlock: verdict = refuted
// gridlock: kind = data-race
// gridlock: profile = opencl
// gridlock: grid = 2
// gridlock: block = 4
// gridlock: why = a barrier with the local fence alone does not order global memory

kernel void neighbour(global int *scratch, global int *out)
{
    size_t i = get_global_id(0);
    size_t first = get_group_id(0) * get_local_size(0);
    scratch[i] = (int)get_local_id(0);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = scratch[first + (get_local_id(0) + 1) % get_local_size(0)]; // <-- guilty
}
