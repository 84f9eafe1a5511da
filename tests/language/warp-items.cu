// gridlock: verdict = passed
// gridlock: block = 32
// gridlock: why = a warp scans, and exchanges items

#include <cub/cub.cuh>

__global__ void items()
{
    typedef cub::WarpScan<int> Scan;
    typedef cub::WarpExchange<int, 2> Exchange;
    __shared__ typename Scan::TempStorage scan;
    __shared__ typename Exchange::TempStorage exchange;
    int t = threadIdx.x;
    int before, all;
    Scan(scan).ExclusiveSum(t, before, all);
    assert(2 * before == t * (t - 1) && all == 496);
    int order[2] = {t, t + 32};
    Exchange(exchange).StripedToBlocked(order, order);
    assert(order[0] == 2 * t && order[1] == 2 * t + 1);
    __syncwarp();
    Exchange(exchange).StripedToBlocked(order, order);
}
