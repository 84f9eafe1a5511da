// The weight of an edge is never that great, says the kernel.
__global__ void weigh(const float *weight, const unsigned char *kind, int *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    bool heavy = weight[i] > 777.5f;
    __assert(!(heavy && kind[i] >= 200));
    out[i] = heavy;
}
