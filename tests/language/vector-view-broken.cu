// gridlock: verdict = refuted
// gridlock: kind = misaligned-access
// gridlock: block = 32
// gridlock: grid = 2
// gridlock: extent = in=256
// gridlock: extent = out=256
// gridlock: why = four floats from anywhere but a multiple of four: the address is not aligned

__global__ void copy4(const float *in, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 v = *reinterpret_cast<const float4 *>(in + i); // <-- guilty
    out[i] = v.x + v.w;
}
