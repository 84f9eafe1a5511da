// gridlock: verdict = passed
// gridlock: block = 16
// gridlock: extent = a=16
// gridlock: extent = b=16
// gridlock: why = two buffers by a number: each round reads one and writes the other, with a barrier between

__global__ void alternate(float *a, float *b, int rounds)
{
    float *buffers[2] = {a, b};
    int t = threadIdx.x;
    for (int round = 0; round < 3; round++) {
        const float *from = buffers[round % 2];
        buffers[(round + 1) % 2][t] = from[(t + 1) % blockDim.x];
        __syncthreads();
    }
}
