// gridlock: verdict = refuted
// gridlock: kind = uninitialised-read
// gridlock: block = 32
// gridlock: few-block = 2
// gridlock: why = the variable of the second round is another one than that of the first

__global__ void steps(const int *in, int *out)
{
    int t = threadIdx.x;
    int sum = 0;
    for (int r = 0; r < 4; r++) {
        int x;
        if (r == 0)
            x = in[t];
        sum += x; // <-- guilty
    }
    out[t] = sum;
}
