// gridlock: verdict = refuted
// gridlock: kind = data-race
// gridlock: grid = 2
// gridlock: block = 32
// gridlock: why = that time has passed orders nothing

__global__ void stopwatch(int *data, int *out)
{
    int i = threadIdx.x;
    long long start = clock64();
    data[i] = i; // <-- guilty
    while (clock64() - start < 5000)
        ;
    out[blockIdx.x * blockDim.x + i] = data[31 - i]; // <-- guilty
}
