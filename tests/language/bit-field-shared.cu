// gridlock: verdict = passed
// gridlock: grid = 1
// gridlock: block = 64
// gridlock: extent = out=64
// gridlock: why = a store to one bit-field is no read of those that have no value yet

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
    out[threadIdx.x] = next.red + next.blue;
}
