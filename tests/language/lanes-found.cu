// gridlock: verdict = passed
// gridlock: block = 8
// gridlock: extent = a=8
// gridlock: extent = out=8
// gridlock: contents = a=range:0:1
// gridlock: why = lanes with one label are a group, whose ranks, sums and votes count among them

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;

__global__ void by_label(const int *a, int *out)
{
    auto tile = cg::tiled_partition<8>(cg::this_thread_block());
    int mine = a[threadIdx.x];
    cg::coalesced_group alike = cg::labeled_partition(tile, mine % 2);
    assert(alike.size() == 4);
    assert(alike.thread_rank() == mine / 2);
    assert(cg::reduce(alike, mine, cg::plus<int>()) == 12 + 4 * (mine % 2));
    assert(cg::inclusive_scan(alike, 1) == alike.thread_rank() + 1);
    assert(alike.ballot(mine >= 4) == 0xc);
    auto half = cg::binary_partition(tile, mine < 4);
    out[mine] = half.shfl(mine, 0);
    assert(out[mine] == (mine < 4 ? 0 : 4));
}
