// gridlock: verdict = refuted
// gridlock: kind = data-race
// gridlock: grid = 1
// gridlock: block = 64
// gridlock: why = both warps store the same tile

#include <mma.h>
using namespace nvcuda;

__global__ void fill(int *c)
{
    wmma::fragment<wmma::accumulator, 16, 16, 16, int> tile;
    wmma::fill_fragment(tile, (int)threadIdx.x / 32);
    wmma::store_matrix_sync(c, tile, 16, wmma::mem_row_major); // <-- guilty
}
