// gridlock: verdict = refuted
// gridlock: kind = assertion
// gridlock: block = 32
// gridlock: extent = out=32
// gridlock: why = the function that is given the vector by reference writes its fourth element

__device__ float &element(float4 &of, int at)
{
    return reinterpret_cast<float *>(&of)[at];
}

__global__ void elements(float *out)
{
    float4 mine = make_float4(1.0f, 2.0f, 3.0f, 4.0f);
    element(mine, 3) = 5.0f;
    out[threadIdx.x] = element(mine, threadIdx.x % 4);
    assert(mine.w == 4.0f); // <-- guilty
}
