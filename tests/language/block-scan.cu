// gridlock: verdict = passed
// gridlock: block = 8
// gridlock: extent = in=8
// gridlock: contents = in=range:1:1
// gridlock: why = each thread is given the sum of those before it

#include <cub/cub.cuh>

__global__ void scan(const int *in)
{
    typedef cub::BlockScan<int, 8> Scan;
    __shared__ typename Scan::TempStorage storage;
    int before, all;
    Scan(storage).ExclusiveSum(in[threadIdx.x], before, all);
    int t = threadIdx.x + 0;
    assert(2 * before == t * (t + 1));
    assert(all == 36);
}
