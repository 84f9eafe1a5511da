// gridlock: verdict = refuted
// gridlock: kind = uninitialised-read
// gridlock: block = 4
// gridlock: extent = in=4
// gridlock: extent = out=4
// gridlock: why = thread 0 adds what it never set

__global__ void last_sum(const int *in, int *out)
{
    int t = threadIdx.x;
    int before, own = in[t];
    if (t > 0)
        before = in[t - 1];
    int kept = before;
    if (t > 0)
        own += kept;
    out[t] = own + kept; // <-- guilty
}
