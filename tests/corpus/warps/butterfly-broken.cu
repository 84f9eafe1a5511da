// gridlock: verdict = refuted
// gridlock: kind = bad-warp-mask
// gridlock: block = 64
// gridlock: profile = cuda
// gridlock: few-block = 2
// gridlock: why = each half waits for the other, which is at another shuffle

__global__ void halves(const int *in, int *out)
{
    int lane = threadIdx.x % warpSize;
    int v = in[threadIdx.x];
    if (lane < 16) {
        for (int bit = 8; bit > 0; bit /= 2)
            v = max(v, __shfl_xor_sync(0xffffffff, v, bit)); // <-- guilty
    } else {
        for (int bit = 8; bit > 0; bit /= 2)
            v = min(v, __shfl_xor_sync(0xffffffff, v, bit));
    }
    out[threadIdx.x] = v;
}
