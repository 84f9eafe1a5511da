// gridlock: verdict = proved
// gridlock: block = 8
// gridlock: extent = in=8
// gridlock: why = an array with a dimension of one element

__device__ double table[8][1];

__global__ void store(double *in)
{
    table[threadIdx.x][0] = in[threadIdx.x];
}
