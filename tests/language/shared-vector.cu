// gridlock: verdict = passed
// gridlock: block = 32
// gridlock: why = a barrier stands between the writes and the reads of the vectors

__global__ void vectors(float4 *out)
{
    __shared__ float4 s[32];
    int t = threadIdx.x;
    s[t] = make_float4(t, t, t, t);
    __syncthreads();
    float4 v = s[31 - t];
    v.x += v.w;
    out[t] = v;
}
