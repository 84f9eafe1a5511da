// gridlock: verdict = passed
// gridlock: block = 16
// gridlock: shared-bytes = 192
// gridlock: why = doubles and ints in one array: a double is two of its cells, and no int shares one with it

__global__ void carve(const double *in, int *out)
{
    extern __shared__ double sums[];
    int *hits = (int *)&sums[blockDim.x];
    int t = threadIdx.x;
    sums[t] = in[t] + 1.0;
    hits[t] = t;
    __syncthreads();
    out[t] = hits[t ^ 1] + (sums[t ^ 1] > 1.5);
}
