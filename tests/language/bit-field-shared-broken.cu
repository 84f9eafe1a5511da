// gridlock: verdict = refuted
// gridlock: kind = uninitialised-read
// gridlock: grid = 1
// gridlock: block = 64
// gridlock: extent = out=64
// gridlock: why = the stores to its neighbours leave a bit-field without a value

struct Pixel {
    unsigned red : 5, green : 6, blue : 5;
};

__global__ void shift(int *out)
{
    __shared__ Pixel row[64];
    row[threadIdx.x].red = threadIdx.x;
    row[threadIdx.x].blue = threadIdx.x >> 1;
    __syncthreads();
    Pixel &next = row[63 - threadIdx.x];
    out[threadIdx.x] = next.red + next.green; // <-- guilty
}
