// gridlock: verdict = refuted
// gridlock: kind = data-race
// gridlock: block = 64
// gridlock: profile = cuda
// gridlock: few-block = 2
// gridlock: why = a shuffle makes the lanes wait for one another but orders no memory

__global__ void turn(const int *in, int *out)
{
    __shared__ int cell[64];
    int t = threadIdx.x;
    int first = t - t % warpSize;
    cell[t] = in[t]; // <-- guilty
    int n = __shfl_sync(0xffffffff, t, 0);
    int v = cell[first + (t + 1) % warpSize];
    out[t] = v + n;
}
