// gridlock: verdict = refuted
// gridlock: kind = bad-warp-mask
// gridlock: block = 32
// gridlock: few-block = 2
// gridlock: why = the caller is not in the mask it gives

__global__ void halves(int *a)
{
    int lane = threadIdx.x;
    if (lane < 16) {
        a[lane] = lane;
        __syncwarp(0xffff0000); // <-- guilty
        a[lane + 16] = a[15 - lane];
    }
}
