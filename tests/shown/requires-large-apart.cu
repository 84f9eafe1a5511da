// The same where no two threads may be sent to one place.
__global__ void place(const int *to, int *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    __requires(to[i] == 1000 + 2 * i);
    out[to[i]] = i;
}
