// Each work-item counts the powers of two s below the work-group's size for which 2 * s divides
// its number. With a work-group of 256: out = 8, 0, 1, 0, 2, 0, 1, 0, 3, 0, …
kernel void count(global int *out)
{
    int t = get_local_id(0);
    out[t] = 0;
    barrier(CLK_GLOBAL_MEM_FENCE);
    for (int s = 1; s < get_local_size(0); s *= 2) {
        if (t % (2 * s) == 0) {
            out[t] += 1;
        }
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
}
