// gridlock: verdict = refuted
// gridlock: kind = barrier-divergence
// gridlock: grid = 2
// gridlock: block = 8
// gridlock: why = half of the threads come to a barrier that counts

__global__ void flip(const int *in, int *out)
{
    __shared__ int cells[8];
    int i = threadIdx.x;
    cells[i] = in[i];
    int n_even = i < 4 ? __syncthreads_count(i % 2 == 0) : 4; // <-- guilty
    out[blockIdx.x * 8 + i] = cells[i] + n_even;
}
