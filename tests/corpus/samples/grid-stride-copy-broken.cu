// gridlock: verdict = refuted
// gridlock: kind = out-of-bounds
// gridlock: grid = 2
// gridlock: block = 4
// gridlock: arg = count=37
// gridlock: extent = dst=count
// gridlock: extent = src=count
// gridlock: few-block = 1
// gridlock: few-arg = count=9
// gridlock: why = the number of groups is rounded up, so that the last one leaves the array

// Copies four neighbouring words a turn, then what is left.

__global__ void copy_by_four(int *__restrict__ dst, const int *__restrict__ src, int count)
{
    const int tid = blockIdx.x * blockDim.x + threadIdx.x;
    const int stride = gridDim.x * blockDim.x;
    const int groups = (count + 3) >> 2;

    for (int g = tid; g < groups; g += stride) {
#pragma unroll
        for (int k = 0; k < 4; k++)
            dst[4 * g + k] = src[4 * g + k]; // <-- guilty
    }
    for (int i = 4 * groups + tid; i < count; i += stride)
        dst[i] = src[i];
}
