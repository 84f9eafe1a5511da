// gridlock: verdict = proved
// gridlock: grid = 2
// gridlock: block = 4
// gridlock: why = whatever nondet gives, each thread writes its own cell, and all meet at the barrier

__device__ int nondet();

__device__ int at_most(int most)
{
    int x = nondet();
    return x < 0 || x > most ? 0 : x;
}

__global__ void draw(int *out)
{
    __shared__ int s[4];
    int i = threadIdx.x;
    s[i] = at_most(100);
    __syncthreads();
    int sum = s[i] + s[3 - i];
    if (nondet())
        sum = -1;
    out[blockIdx.x * blockDim.x + i] = sum;
}
