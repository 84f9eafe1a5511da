// gridlock: verdict = refuted
// gridlock: kind = bad-warp-width
// gridlock: block = 64
// gridlock: profile = cuda
// gridlock: few-block = 2
// gridlock: why = a segment of 24 lanes is none that a warp has

__global__ void scan(const int *in, int *out)
{
    int lane = threadIdx.x % warpSize;
    int v = in[threadIdx.x];
    for (int d = 1; d < 32; d *= 2) {
        int below = __shfl_up_sync(0xffffffff, v, d, 24); // <-- guilty
        if (lane >= d)
            v += below;
    }
    out[threadIdx.x] = v;
}
