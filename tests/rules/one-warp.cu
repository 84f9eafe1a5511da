// gridlock: verdict = passed
// gridlock: grid = 1
// gridlock: block = 8
// gridlock: extent = in=8
// gridlock: extent = out=8
// gridlock: why = a barrier stands between the levels of the tree

__global__ void k(const int *in, int *out)
{
    __shared__ int part[8];
    int t = threadIdx.x;
    part[t] = in[t];
    __syncthreads();
    for (int s = 4; s > 0; s = s / 2) {
        if (t < s) {
            part[t] = part[t] + part[t + s];
        }
        __syncthreads();
    }
    out[t] = part[0];
}
