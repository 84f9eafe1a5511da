// gridlock: verdict = passed
// gridlock: profile = opencl
// gridlock: grid = 2
// gridlock: block = 8
// gridlock: why = all work-items wait for the events that the work-group's number chooses

kernel void halves(global int *a, global const int *b, int n)
{
    local int mine[8];
    local int other[8];
    event_t events[2];
    int first = get_group_id(0) % 2;
    events[0] = async_work_group_copy(mine, a + 8 * get_group_id(0), 8, 0);
    events[1] = async_work_group_copy(other, b, 8, 0);
    wait_group_events(1, events + first);
    wait_group_events(n > 0 ? 1 : 2, events + (n > 0 ? 1 - first : 0));
    a[get_global_id(0)] = mine[get_local_id(0)] + other[7 - get_local_id(0)];
}
