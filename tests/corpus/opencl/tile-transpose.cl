// gridlock: verdict = passed
// gridlock: profile = opencl
// gridlock: grid = 2,2
// gridlock: why = the tile is stored before it is read, and each work-group has one

__attribute__((reqd_work_group_size(4, 4, 1)))
kernel void transpose(global const float *in, global float *out, uint n)
{
    local float tile[4][5];
    size_t x = get_local_id(0), y = get_local_id(1);
    size_t col = get_group_id(0) * 4, row = get_group_id(1) * 4;
    tile[y][x] = in[(row + y) * 8 + col + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[(col + y) * 8 + row + x] = tile[x][y];
}
