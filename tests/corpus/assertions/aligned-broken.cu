// gridlock: verdict = refuted
// gridlock: kind = misaligned-access
// gridlock: block = 4
// gridlock: extent = in=16
// gridlock: extent = out=16
// gridlock: why = thread 1 takes four elements at once from the second one on

__global__ void copy(const float *in, float *out)
{
    int first = 2 * threadIdx.x;
    *(float4 *)(out + 4 * threadIdx.x) = *(const float4 *)(in + first); // <-- guilty
}
