// gridlock: verdict = refuted
// gridlock: kind = data-race
// gridlock: grid = 2
// gridlock: block = 32
// gridlock: why = a tile of eight threads waits, and the cell of a thread in another tile is read

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;

template <unsigned int N> __device__ int sum(const cg::thread_block_tile<N> &tile, int value)
{
    for (int distance = tile.size() / 2; distance > 0; distance /= 2)
        value += tile.shfl_down(value, distance);
    return value;
}

__global__ void of_tiles(int *out)
{
    __shared__ int cells[32];
    auto tile = cg::tiled_partition<8>(cg::this_thread_block());
    int mine = threadIdx.x;
    cells[threadIdx.x] = mine; // <-- guilty
    tile.sync();
    int next = cells[threadIdx.x ^ 15]; // <-- guilty
    int total = sum(tile, mine);
    int least = cg::reduce(tile, mine, cg::less<int>());
    assert(tile.ballot(next % 2 == 0) == 0xaa);
    if (tile.thread_rank() == 0) {
        assert(total == 64 * tile.meta_group_rank() + 28);
        assert(least == threadIdx.x);
        out[blockIdx.x * tile.meta_group_size() + tile.meta_group_rank()] = total;
    }
}
