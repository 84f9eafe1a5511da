// gridlock: verdict = refuted
// gridlock: kind = out-of-bounds
// gridlock: block = 8
// gridlock: extent = in=8
// gridlock: extent = out=8
// gridlock: few-block = 2
// gridlock: why = the first thread reads the cell before the array

__global__ void previous(const int *in, int *out)
{
    int t = threadIdx.x;
    out[t] = in[t - 1]; // <-- guilty
}
