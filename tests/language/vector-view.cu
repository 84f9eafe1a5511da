// gridlock: verdict = proved
// gridlock: block = 32
// gridlock: grid = 2
// gridlock: extent = in=256
// gridlock: extent = out=256
// gridlock: why = each thread copies its own four floats, the bits as they are

__global__ void copy4(const float *in, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 v = reinterpret_cast<const float4 *>(in)[i];
    reinterpret_cast<int4 *>(out)[i] = *reinterpret_cast<int4 *>(&v);
}
