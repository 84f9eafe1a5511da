// gridlock: verdict = refuted
// gridlock: kind = data-race
// gridlock: grid = 1
// gridlock: block = 32
// gridlock: extent = key=4
// gridlock: why = the step does not run after the break: where the key is found, every thread writes cell 0

__global__ void found(const int *key)
{
    __shared__ int s[64];
    int c = 0, d = 0;
    for (int i = 0; i < 4; i++, c++) {
        d++;
        if (key[i] < 0)
            break;
    }
    s[threadIdx.x * (1 + c - d)] = 1; // <-- guilty
}
