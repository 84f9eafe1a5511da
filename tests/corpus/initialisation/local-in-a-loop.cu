// gridlock: verdict = passed
// gridlock: block = 32
// gridlock: few-block = 2
// gridlock: why = each round of the loop gives its own variable a value before it is read

__global__ void steps(const int *in, int *out)
{
    int t = threadIdx.x;
    int sum = 0;
    for (int r = 0; r < 4; r++) {
        int x;
        if (r == 0)
            x = in[t];
        else
            x = sum;
        sum += x;
    }
    out[t] = sum;
}
