// gridlock: verdict = refuted
// gridlock: kind = data-race
// gridlock: block = 16
// gridlock: extent = a=16
// gridlock: extent = b=16
// gridlock: why = both numbers are the same: a buffer is read and written in one round

__global__ void alternate(float *a, float *b, int rounds)
{
    float *buffers[2] = {a, b};
    int t = threadIdx.x;
    for (int round = 0; round < 3; round++) {
        const float *from = buffers[round % 2];
        buffers[round % 2][t] = from[(t + 1) % blockDim.x]; // <-- guilty
        __syncthreads();
    }
}
