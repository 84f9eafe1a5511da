// gridlock: verdict = refuted
// gridlock: kind = data-race
// gridlock: profile = opencl
// gridlock: grid = 2
// gridlock: block = 3
// gridlock: shared-bytes = 4
// gridlock: why = the place is given back by a plain store beside compare-and-swaps

kernel void claim(global int *winner, local int *owner)
{
    int l = get_local_id(0);
    if (l == 0)
        *owner = -1;
    barrier(CLK_LOCAL_MEM_FENCE);
    int before = atomic_cmpxchg(owner, -1, l);
    if (before == -1) {
        winner[get_group_id(0)] = *owner;
        *owner = -1; // <-- guilty
    }
}
