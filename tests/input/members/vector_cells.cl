__kernel void vector_cells(__global int4 *out)
{
    __local int2 pair[8];
    int t = get_local_id(0);
    pair[t / 2].y = t;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[t].z = pair[t / 2].y;
}
