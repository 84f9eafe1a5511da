// gridlock: verdict = proved
// gridlock: profile = opencl
// gridlock: grid = 2
// gridlock: block = 8
// gridlock: why = of each vector one work-item writes two elements and another the other two

kernel void weave(global float4 *a, global const float2 *b)
{
    int i = get_global_id(0);
    if (i % 2)
        a[i / 2].xz = b[i];
    else
        a[i / 2].wy = b[i] * 2.0f;
}
