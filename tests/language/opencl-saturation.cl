// gridlock: verdict = passed
// gridlock: profile = opencl
// gridlock: grid = 4
// gridlock: block = 64
// gridlock: why = a uchar is within the table

kernel void saturate(global int *out)
{
    int table[256];
    int i = get_global_id(0) * 2 - 100;
    for (int k = 0; k < 256; k++)
        table[k] = k;
    out[get_global_id(0)] = table[convert_uchar_sat(i)];
}
