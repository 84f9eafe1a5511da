// gridlock: verdict = refuted
// gridlock: kind = data-race
// gridlock: block = 16
// gridlock: shared-bytes = 192
// gridlock: why = counted in doubles the ints start too early: one falls into the upper half of a double

__global__ void carve(const double *in, int *out)
{
    extern __shared__ double sums[];
    int *hits = (int *)&sums[blockDim.x / 2];
    int t = threadIdx.x;
    sums[t] = in[t] + 1.0; // <-- guilty
    hits[t] = t; // <-- guilty
    __syncthreads();
    out[t] = hits[t ^ 1] + (sums[t ^ 1] > 1.5);
}
