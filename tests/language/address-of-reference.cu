// gridlock: verdict = passed
// gridlock: block = 32
// gridlock: extent = out=32
// gridlock: why = a function takes the address of the vector that it is given by reference

__device__ float &element(float4 &of, int at)
{
    return reinterpret_cast<float *>(&of)[at];
}

__global__ void elements(float *out)
{
    float4 mine = make_float4(1.0f, 2.0f, 3.0f, 4.0f);
    element(mine, 2) = 5.0f;
    out[threadIdx.x] = element(mine, threadIdx.x % 4);
    assert(mine.w == 4.0f);
}
