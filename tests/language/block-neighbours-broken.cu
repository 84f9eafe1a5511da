// gridlock: verdict = refuted
// gridlock: kind = assertion
// gridlock: block = 8
// gridlock: why = the first item of all has none before it

#include <cub/cub.cuh>

__global__ void neighbours()
{
    typedef cub::BlockAdjacentDifference<int, 8> Difference;
    typedef cub::BlockDiscontinuity<int, 8> Heads;
    typedef cub::BlockHistogram<int, 8, 2, 8> Histogram;
    typedef cub::BlockExchange<int, 8, 2> Exchange;
    __shared__ typename Difference::TempStorage difference;
    __shared__ typename Heads::TempStorage heads;
    __shared__ typename Histogram::TempStorage histogram;
    __shared__ typename Exchange::TempStorage exchange;
    __shared__ unsigned int bins[8];
    int t = threadIdx.x;
    int items[2] = {3 * t, 3 * t + 1};
    int less[2];
    Difference(difference).SubtractLeft(items, less, [](int a, int b) { return a - b; });
    assert(less[1] == 1 && less[0] == 2); // <-- guilty
    assert(t != 0 || less[0] == items[0]);
    int equal[2] = {t / 2, t / 2};
    int flags[2];
    Heads(heads).FlagHeads(flags, equal, cub::Inequality());
    assert(flags[0] == (t % 2 == 0) && flags[1] == 0);
    Histogram(histogram).Histogram(equal, bins);
    __syncthreads();
    assert(bins[t] == (t < 4 ? 4 : 0));
    int order[2] = {2 * t, 2 * t + 1};
    Exchange(exchange).BlockedToStriped(order);
    assert(order[0] == t && order[1] == t + 8);
}
