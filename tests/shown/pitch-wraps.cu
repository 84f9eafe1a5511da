// Lines of four: two of them are one where a multiple of the pitch wraps around.
__global__ void lines(unsigned *a, int pitch)
{
    a[threadIdx.x / 4 * pitch + threadIdx.x % 4] = threadIdx.x;
}
