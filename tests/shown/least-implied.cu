// What is asserted follows from the branch.
__global__ void weigh(const float *weight, const unsigned char *kind, int *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    bool heavy = weight[i] > 777.5f;
    if (heavy)
        __assert(weight[i] > 700.0f);
    out[i] = heavy;
}
