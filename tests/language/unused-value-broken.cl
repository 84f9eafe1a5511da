// gridlock: verdict = refuted
// gridlock: kind = out-of-bounds
// gridlock: block = 4
// gridlock: why = in C an element that nobody uses is read; for the first thread it is not there

__kernel void look(__global int *out)
{
    __local int a[4];
    int x = get_local_id(0);
    a[x] = x;
    barrier(CLK_LOCAL_MEM_FENCE);
    a[4 - x]; // <-- guilty
    out[get_global_id(0)] = x;
}
