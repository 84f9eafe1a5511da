// gridlock: verdict = refuted
// gridlock: kind = data-race
// gridlock: profile = opencl
// gridlock: grid = 2,2
// gridlock: block = 2,2
// gridlock: why = rows are taken to be as long as those of a group

kernel void number(global uint *out)
{
    uint place = 0;
    for (uint d = get_work_dim(); d-- > 0;)
        place = place * get_local_size(d) + get_global_id(d);
    out[place] = rotate(place, 34u) << 33; // <-- guilty
}
