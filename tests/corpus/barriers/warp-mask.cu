// gridlock: verdict = passed
// gridlock: block = 32
// gridlock: few-block = 2
// gridlock: why = the mask names exactly the lanes that meet the warp barrier

__global__ void halves(int *a)
{
    int lane = threadIdx.x;
    if (lane < 16) {
        a[lane] = lane;
        __syncwarp(0x0000ffff);
        a[lane + 16] = a[15 - lane];
    }
}
