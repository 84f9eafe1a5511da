// gridlock: verdict = passed
// gridlock: block = 4
// gridlock: extent = in=16
// gridlock: extent = out=16
// gridlock: why = every thread takes four elements at once, from a multiple of four

__global__ void copy(const float *in, float *out)
{
    int first = 4 * threadIdx.x;
    *(float4 *)(out + first) = *(const float4 *)(in + first);
}
