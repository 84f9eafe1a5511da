// gridlock: verdict = refuted
// gridlock: kind = barrier-divergence
// gridlock: grid = 2
// gridlock: block = 4
// gridlock: why = of two threads one may be told to wait and the other not

__device__ int nondet();

__global__ void draw(int *out)
{
    __shared__ int s[4];
    int i = threadIdx.x;
    s[i] = i;
    if (nondet())
        __syncthreads(); // <-- guilty
    out[blockIdx.x * blockDim.x + i] = s[i];
}
