// gridlock: verdict = refuted
// gridlock: kind = out-of-bounds
// gridlock: block = 8
// gridlock: extent = in=8
// gridlock: why = an array with a dimension of none has no element to write

__device__ double table[8][0];

__global__ void store(double *in)
{
    table[threadIdx.x][0] = in[threadIdx.x]; // <-- guilty
}
