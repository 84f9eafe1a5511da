// gridlock: verdict = refuted
// gridlock: kind = barrier-divergence
// gridlock: block = 16
// gridlock: few-block = 2
// gridlock: why = the two sides wait at different barriers

__global__ void sides(const int *in, int *out)
{
    __shared__ int cell[16];
    int t = threadIdx.x;
    if (t % 2 == 0) {
        cell[t] = in[t];
        __syncthreads(); // <-- guilty
    } else {
        cell[t] = -in[t];
        __syncthreads(); // <-- guilty
    }
    out[t] = cell[blockDim.x - 1 - t];
}
