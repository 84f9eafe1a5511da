// A barrier and nothing else: whoever leaves it first takes the count away from the other.

__global__ void meet()
{
    __syncthreads();
}
