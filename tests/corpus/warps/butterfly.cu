// gridlock: verdict = passed
// gridlock: block = 256
// gridlock: few-block = 2
// gridlock: why = in each half of a warp the mask is that half and no lane is asked for in the other

__global__ void halves(const int *in, int *out)
{
    int lane = threadIdx.x % warpSize;
    int v = in[threadIdx.x];
    if (lane < 16) {
        for (int bit = 8; bit > 0; bit /= 2)
            v = max(v, __shfl_xor_sync(0x0000ffff, v, bit));
    } else {
        for (int bit = 8; bit > 0; bit /= 2)
            v = min(v, __shfl_xor_sync(0xffff0000, v, bit));
    }
    out[threadIdx.x] = v;
}
