// gridlock: verdict = refuted
// gridlock: kind = data-race
// gridlock: profile = opencl
// gridlock: grid = 2
// gridlock: block = 4
// gridlock: why = the offset of vstore4 counts vectors, that of a pointer cells: neighbours overlap

kernel void scale(global const float *in, global float *out, float by)
{
    size_t i = get_global_id(0);
    float4 v = vload4(i, in);
    v.xyz *= by;
    v.w = 1.0f;
    vstore4(v, 0, out + i); // <-- guilty
}
