// gridlock: verdict = proved
// gridlock: block = 4
// gridlock: why = in C an element that nobody uses is read; it is there

__kernel void look(__global int *out)
{
    __local int a[4];
    int x = get_local_id(0);
    a[x] = x;
    barrier(CLK_LOCAL_MEM_FENCE);
    a[3 - x];
    out[get_global_id(0)] = x;
}
