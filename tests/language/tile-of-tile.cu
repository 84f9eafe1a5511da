// gridlock: verdict = passed
// gridlock: grid = 1
// gridlock: block = 64
// gridlock: why = ranks of a tile count within the tile that it is a part of, and each of these has cells of its own

#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void parts(unsigned *out)
{
    __shared__ unsigned s[4][4];
    auto t16 = cg::tiled_partition<16>(cg::this_thread_block());
    auto t4 = cg::tiled_partition<4>(t16);
    if (t4.thread_rank() == 0)
        s[t16.meta_group_rank()][t4.meta_group_rank()] = threadIdx.x;
    __syncthreads();
    if (threadIdx.x < 16)
        out[threadIdx.x] = s[threadIdx.x / t4.meta_group_size()][threadIdx.x % t4.meta_group_size()];
}
