// gridlock: verdict = proved
// gridlock: block = 4
// gridlock: why = what is volatile is read when nobody uses it; it is there

__global__ void look(int *out)
{
    __shared__ volatile int a[4];
    int x = threadIdx.x;
    a[x] = x;
    __syncthreads();
    a[x];
    out[x] = x;
}
