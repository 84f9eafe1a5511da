// gridlock: verdict = passed
// gridlock: block = 32
// gridlock: extent = in=32
// gridlock: extent = out=2
// gridlock: why = the storage of a sum is used again behind a barrier

#include <cub/cub.cuh>

__global__ void sums(const int *in, int *out)
{
    typedef cub::BlockReduce<int, 32> Reduce;
    __shared__ typename Reduce::TempStorage storage;
    int sum = Reduce(storage).Sum(in[threadIdx.x]);
    __syncthreads();
    int most = Reduce(storage).Reduce(in[threadIdx.x], cub::Max());
    if (threadIdx.x == 0) {
        out[0] = sum;
        out[1] = most;
    }
}
