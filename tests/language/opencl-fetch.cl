// gridlock: verdict = passed
// gridlock: profile = opencl
// gridlock: grid = 1
// gridlock: block = 2
// gridlock: why = each work-item claims a place of its own

kernel void claim(global atomic_int *next, global int4 *out)
{
    int place = atomic_fetch_add_explicit(next, 1, memory_order_relaxed, memory_scope_device);
    if (place >= 0 && place < 8)
        out[place] = (int4)(get_global_id(0), mad24(place, 4, 1), clz(1), select(1, 2, place));
}
