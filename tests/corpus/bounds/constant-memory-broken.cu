// gridlock: verdict = refuted
// gridlock: kind = constant-write
// gridlock: block = 1
// gridlock: why = a kernel cannot store to constant memory

__constant__ int weights[4] = {1, 4, 6, 4};

__global__ void weigh(const int *in, int *out)
{
    int t = threadIdx.x;
    weights[t % 4] = in[t]; // <-- guilty
    out[t] = weights[t % 4];
}
