// gridlock: verdict = refuted
// gridlock: kind = out-of-bounds
// gridlock: block = 32
// gridlock: why = thread 31 writes one vector past the end of the array

__global__ void vectors(float4 *out)
{
    __shared__ float4 s[32];
    int t = threadIdx.x;
    s[t + 1] = make_float4(t, t, t, t); // <-- guilty
    __syncthreads();
    if (t > 0)
        out[t] = s[t];
}
