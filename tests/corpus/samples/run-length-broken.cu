// gridlock: verdict = refuted
// gridlock: kind = uninitialised-read
// gridlock: block = 16
// gridlock: extent = in=16
// gridlock: extent = values=16
// gridlock: extent = lengths=16
// gridlock: extent = n_runs=1
// gridlock: why = the last run looks for a start that nobody has written

// Run-length encoding of one block of symbols.

#define N 16

__global__ void rle_block(const unsigned char *__restrict__ in, unsigned char *__restrict__ values,
                          int *__restrict__ lengths, int *n_runs)
{
    __shared__ int run_index[N];
    __shared__ int starts[N + 1];
    int t = threadIdx.x;
    unsigned char symbol = in[t] & 1;
    int is_head = t == 0 || symbol != (in[t - 1] & 1);

    run_index[t] = is_head;
    __syncthreads();
    for (int d = 1; d < N; d *= 2) {
        int v = t >= d ? run_index[t - d] : 0;
        __syncthreads();
        run_index[t] += v;
        __syncthreads();
    }
    int run = run_index[t] - 1;
    int runs = run_index[N - 1];
    if (is_head) {
        starts[run] = t;
        values[run] = symbol;
    }
    __syncthreads();
    if (t < runs)
        lengths[t] = starts[t + 1] - starts[t]; // <-- guilty
    if (t == 0)
        *n_runs = runs;
}
