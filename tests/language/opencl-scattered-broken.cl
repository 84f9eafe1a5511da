// gridlock: verdict = refuted
// gridlock: kind = data-race
// gridlock: profile = opencl
// gridlock: grid = 2
// gridlock: block = 8
// gridlock: why = two work-items write one element of each vector

kernel void weave(global float4 *a, global const float2 *b)
{
    int i = get_global_id(0);
    if (i % 2)
        a[i / 2].xz = b[i];
    else
        a[i / 2].wz = b[i] * 2.0f; // <-- guilty
}
