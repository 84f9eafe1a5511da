// gridlock: verdict = refuted
// gridlock: kind = data-race
// gridlock: block = 32
// gridlock: why = the storage of a warp is used again before all have read it

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
    Exchange(exchange).StripedToBlocked(order, order);
}
