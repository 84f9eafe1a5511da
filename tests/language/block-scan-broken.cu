// gridlock: verdict = refuted
// gridlock: kind = assertion
// gridlock: block = 8
// gridlock: extent = in=8
// gridlock: contents = in=range:1:1
// gridlock: why = an exclusive sum leaves out the thread's own number

#include <cub/cub.cuh>

__global__ void scan(const int *in)
{
    typedef cub::BlockScan<int, 8> Scan;
    __shared__ typename Scan::TempStorage storage;
    int before, all;
    Scan(storage).ExclusiveSum(in[threadIdx.x], before, all);
    int t = threadIdx.x + 1;
    assert(2 * before == t * (t + 1)); // <-- guilty
    assert(all == 36);
}
