// gridlock: verdict = refuted
// gridlock: kind = deadlock
// gridlock: profile = paper-literal
// gridlock: block = 2
// gridlock: why = by the printed rules 6 and 7 two arrivals may count as one, and the first to leave clears the count

__global__ void exchange(int *out)
{
    __shared__ int cell[2];
    int t = threadIdx.x;
    cell[t] = t + 1;
    __syncthreads(); // <-- guilty
    out[t] = cell[1 - t];
}
