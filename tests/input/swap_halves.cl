kernel void swap_halves(global int *data)
{
    local int tile[8];
    int l = get_local_id(0);
    tile[l] = data[get_global_id(0)];
    if (l < 4)
        barrier(CLK_LOCAL_MEM_FENCE);
    data[get_global_id(0)] = tile[7 - l];
}
