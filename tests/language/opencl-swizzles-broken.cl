// gridlock: verdict = refuted
// gridlock: kind = out-of-bounds
// gridlock: profile = opencl
// gridlock: block = 4
// gridlock: why = v.s1 is 7, and 7 plus a work-item leaves the table

kernel void swizzles(global int *out)
{
    local int table[8];
    int l = get_local_id(0);
    int4 v = (int4)(l, (int2)(3, 2), 1);
    v.xw = v.wx;
    int2 half_of = v.hi;
    half_of += (int2)(1);
    v = v > 2 ? (int4)(7) : v;
    table[v.s1 + l] = half_of.x; // <-- guilty
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = table[1 + l] + convert_int4(convert_float4(v)).y;
}
