// gridlock: verdict = proved
// gridlock: block = 2
// gridlock: extent = a=2
// gridlock: why = the barrier puts the store before the loads; sleeping changes nothing

__global__ void sleep(int *a)
{
    __shared__ int cell;
    if (threadIdx.x == 0)
        cell = 1;
    for (unsigned int ns = 8; ns < 256; ns *= 2)
        __nanosleep(ns);
    __syncthreads();
    a[threadIdx.x] = cell;
}
