// gridlock: verdict = refuted
// gridlock: kind = data-race
// gridlock: grid = 1
// gridlock: block = 64
// gridlock: why = the first tile of four of each tile of sixteen has rank 0

#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void parts(unsigned *out)
{
    __shared__ unsigned s[16];
    auto t4 = cg::tiled_partition<4>(cg::tiled_partition<16>(cg::this_thread_block()));
    if (t4.thread_rank() == 0)
        s[t4.meta_group_rank()] = threadIdx.x; // <-- guilty
    __syncthreads();
    if (threadIdx.x < 4)
        out[threadIdx.x] = s[threadIdx.x];
}
