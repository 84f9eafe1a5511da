// gridlock: verdict = passed
// gridlock: profile = opencl
// gridlock: grid = 2,2
// gridlock: block = 2,2
// gridlock: why = the number counts along all dimensions

kernel void number(global uint *out)
{
    uint place = 0;
    for (uint d = get_work_dim(); d-- > 0;)
        place = place * get_global_size(d) + get_global_id(d);
    __assert(place == get_global_linear_id());
    __assert(get_global_id(3) == 0 && get_local_size(3) == 1);
    out[place] = rotate(place, 34u) << 33;
}
