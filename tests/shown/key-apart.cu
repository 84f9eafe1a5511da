// Every element writes a cell of its own, whatever its kind.
__global__ void mark(const int *key, int *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (key[i] == 12345)
        out[i + 1] = -i;
    else
        out[i + 1] = i;
}
