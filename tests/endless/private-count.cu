// gridlock: verdict = passed
// gridlock: block = 2
// gridlock: why = the count comes to an end

__device__ unsigned next(unsigned n)
{
    unsigned more = n * 2;
    return more + 1;
}

__global__ void count(unsigned *a)
{
    unsigned own[2] = {1, 1};
    while (own[threadIdx.x] < 1000)
        own[threadIdx.x] = next(own[threadIdx.x]);
}
