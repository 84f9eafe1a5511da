// gridlock: verdict = passed
// gridlock: block = 4
// gridlock: extent = in=4
// gridlock: extent = out=4
// gridlock: why = only threads that have set it add it

__global__ void last_sum(const int *in, int *out)
{
    int t = threadIdx.x;
    int before, own = in[t];
    if (t > 0)
        before = in[t - 1];
    int kept = before;
    if (t > 0)
        own += kept;
    if (t > 0)
        atomicAdd(&out[0], kept);
}
