// gridlock: verdict = refuted
// gridlock: kind = barrier-divergence
// gridlock: profile = opencl
// gridlock: grid = 2
// gridlock: block = 8
// gridlock: why = every other work-item waits for another event, which all have to name alike

kernel void halves(global int *a, global const int *b)
{
    local int mine[8];
    local int other[8];
    event_t events[2];
    int first = get_local_id(0) % 2;
    events[0] = async_work_group_copy(mine, a + 8 * get_group_id(0), 8, 0);
    events[1] = async_work_group_copy(other, b, 8, 0);
    wait_group_events(1, events + first); // <-- guilty
    wait_group_events(1, events + 1 - first);
    a[get_global_id(0)] = mine[get_local_id(0)] + other[7 - get_local_id(0)];
}
