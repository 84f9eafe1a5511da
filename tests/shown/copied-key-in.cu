// The same in bounds for every element.
__global__ void spread(const int *key, int *out)
{
    __shared__ int tile[32];
    tile[threadIdx.x] = 2 * key[threadIdx.x] + 1;
    __syncthreads();
    int other = tile[31 - threadIdx.x];
    switch (other) {
    case 8001:
        out[threadIdx.x] = 1;
        break;
    default:
        out[threadIdx.x] = 0;
    }
}
