// gridlock: verdict = refuted
// gridlock: kind = out-of-bounds
// gridlock: profile = opencl
// gridlock: grid = 4
// gridlock: block = 64
// gridlock: why = a short need not be within the table

kernel void saturate(global int *out)
{
    int table[256];
    int i = get_global_id(0) * 2 - 100;
    for (int k = 0; k < 256; k++)
        table[k] = k;
    out[get_global_id(0)] = table[convert_short_sat(i)]; // <-- guilty
}
