// gridlock: verdict = passed
// gridlock: block = 8
// gridlock: extent = in=8
// gridlock: extent = out=8
// gridlock: few-block = 2
// gridlock: why = the first thread does not look to its left

__global__ void previous(const int *in, int *out)
{
    int t = threadIdx.x;
    if (t > 0)
        out[t] = in[t - 1];
    else
        out[t] = 0;
}
