// gridlock: verdict = passed
// gridlock: profile = opencl
// gridlock: grid = 2
// gridlock: block = 4
// gridlock: why = copies of one call that share an event are waited for together

kernel void rows(global const int *in, global int *out)
{
    local int tile[12];
    event_t all = 0;
    for (int row = 0; row < 3; row++)
        all = async_work_group_copy(tile + 4 * row, in + 8 * row + 4 * get_group_id(0), 4, all);
    wait_group_events(1, &all);
    int l = get_local_id(0);
    out[get_global_id(0)] = tile[l] + tile[7 - l] + tile[8 + l];
}
