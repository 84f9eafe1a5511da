// gridlock: verdict = refuted
// gridlock: kind = data-race
// gridlock: profile = opencl
// gridlock: grid = 2
// gridlock: block = 4
// gridlock: why = each copy has an event of its own, and only the last one's is waited for

kernel void rows(global const int *in, global int *out)
{
    local int tile[12];
    int l = get_local_id(0);
    for (int row = 0; row < 3; row++)
        tile[4 * row + l] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    event_t all = 0;
    for (int row = 0; row < 3; row++)
        all = async_work_group_copy(tile + 4 * row, in + 8 * row + 4 * get_group_id(0), 4, 0);
    wait_group_events(1, &all);
    out[get_global_id(0)] = tile[l] + tile[7 - l] + tile[8 + l]; // <-- guilty
}
