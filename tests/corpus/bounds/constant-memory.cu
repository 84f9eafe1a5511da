// gridlock: verdict = passed
// gridlock: block = 1
// gridlock: why = constant memory is only read

__constant__ int weights[4] = {1, 4, 6, 4};

__global__ void weigh(const int *in, int *out)
{
    int t = threadIdx.x;
    out[t] = weights[t % 4] * in[t];
}
