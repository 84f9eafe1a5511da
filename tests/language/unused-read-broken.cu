// gridlock: verdict = refuted
// gridlock: kind = out-of-bounds
// gridlock: block = 4
// gridlock: why = what is volatile is read when nobody uses it; for the last thread it is not there

__global__ void look(int *out)
{
    __shared__ volatile int a[4];
    int x = threadIdx.x;
    a[x] = x;
    __syncthreads();
    a[x + 1]; // <-- guilty
    out[x] = x;
}
