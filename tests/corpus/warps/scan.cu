// gridlock: verdict = passed
// gridlock: block = 256
// gridlock: few-block = 2
// gridlock: why = the lanes below the distance keep what they have

__global__ void scan(const int *in, int *out)
{
    int lane = threadIdx.x % warpSize;
    int v = in[threadIdx.x];
    for (int d = 1; d < 32; d *= 2) {
        int below = __shfl_up_sync(0xffffffff, v, d);
        if (lane >= d)
            v += below;
    }
    out[threadIdx.x] = v;
}
