// gridlock: verdict = passed
// gridlock: profile = paper, cuda, cuda-hw, lockstep-warp, portable
// gridlock: block = 2
// gridlock: why = every thread meets the barrier

__global__ void exchange(int *out)
{
    __shared__ int cell[2];
    int t = threadIdx.x;
    cell[t] = t + 1;
    __syncthreads();
    out[t] = cell[1 - t];
}
