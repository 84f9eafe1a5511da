// gridlock: verdict = refuted
// gridlock: kind = data-race
// gridlock: block = 32
// gridlock: shared-bytes = 256
// gridlock: why = the second array starts one element too early: its first is the last of the first

__global__ void carve(const float *in, int *out)
{
    extern __shared__ unsigned char room[];
    float *values = (float *)room;
    int *order = (int *)(room + (blockDim.x - 1) * sizeof(float));
    int t = threadIdx.x;
    values[t] = in[t]; // <-- guilty
    order[t] = t; // <-- guilty
    __syncthreads();
    out[t] = order[(t + 1) % blockDim.x] + (values[blockDim.x - 1 - t] > 0.5f);
}
