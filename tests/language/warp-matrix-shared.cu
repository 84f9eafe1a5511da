// gridlock: verdict = passed
// gridlock: grid = 1
// gridlock: block = 64
// gridlock: why = each warp stores a tile of its own

#include <mma.h>
using namespace nvcuda;

__global__ void fill(int *c)
{
    wmma::fragment<wmma::accumulator, 16, 16, 16, int> tile;
    wmma::fill_fragment(tile, (int)threadIdx.x / 32);
    wmma::store_matrix_sync(c + threadIdx.x / 32 * 256, tile, 16, wmma::mem_row_major);
}
