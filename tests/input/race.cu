__global__ void all_to_one(int *a)
{
    a[0] = threadIdx.x;
}
