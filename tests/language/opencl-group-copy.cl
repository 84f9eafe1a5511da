// gridlock: verdict = passed
// gridlock: profile = opencl
// gridlock: grid = 2
// gridlock: block = 8
// gridlock: why = what the copies bring is read once they are waited for

kernel void twice(global int *a, global const int *b)
{
    local int mine[8];
    local int other[8];
    event_t events[2];
    events[0] = async_work_group_copy(mine, a + 8 * get_group_id(0), 8, 0);
    events[1] = async_work_group_strided_copy(other, b, 8, 2, 0);
    wait_group_events(2, events);
    mine[get_local_id(0)] += other[get_local_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    event_t back = async_work_group_copy(a + 8 * get_group_id(0), mine, 8, 0);
    wait_group_events(1, &back);
}
