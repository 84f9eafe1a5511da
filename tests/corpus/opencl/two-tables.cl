// gridlock: verdict = passed
// gridlock: profile = opencl
// gridlock: grid = 1
// gridlock: block = 4
// gridlock: shared-bytes = 16
// gridlock: why = both tables are whole before they are read

struct entry {
    int key;
    float weight;
};

constant float weights[4] = {0.5f, 0.25f, 0.125f, 1.0f};

struct entry entry_of(int key)
{
    struct entry e = {key, weights[key & 3]};
    return e;
}

kernel void tables(local int *keys, local float *sums, global float *out)
{
    int l = get_local_id(0);
    struct entry e = entry_of(l);
    keys[l] = e.key;
    sums[l] = e.weight;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = sums[keys[3 - l]];
}
