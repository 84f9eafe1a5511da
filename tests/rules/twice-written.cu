// gridlock: verdict = passed
// gridlock: grid = 1
// gridlock: block = 16
// gridlock: extent = in=16
// gridlock: extent = out=16
// gridlock: why = a thread writes its own cell twice, and a barrier stands before anybody else reads it

__global__ void k(const int *in, int *out)
{
    __shared__ int cell[16];
    int t = threadIdx.x;
    cell[t] = in[t];
    __syncthreads();
    if (t >= 10) {
        cell[t] = 0;
    }
    __syncthreads();
    out[t] = cell[15 - t];
}
