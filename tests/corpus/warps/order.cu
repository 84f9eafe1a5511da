// gridlock: verdict = passed
// gridlock: block = 64
// gridlock: few-block = 2
// gridlock: why = __syncwarp orders what the lanes write and read

__global__ void turn(const int *in, int *out)
{
    __shared__ int cell[64];
    int t = threadIdx.x;
    int first = t - t % warpSize;
    cell[t] = in[t];
    __syncwarp();
    int v = cell[first + (t + 1) % warpSize];
    out[t] = v + __shfl_sync(0xffffffff, v, 0);
}
