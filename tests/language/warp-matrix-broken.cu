// gridlock: verdict = refuted
// gridlock: kind = data-race
// gridlock: grid = 1
// gridlock: block = 32
// gridlock: why = which lane stores an element no one knows, so that the others read it too early

#include <mma.h>
using namespace nvcuda;

__global__ void fill(int *tile, int *sums)
{
    wmma::fragment<wmma::accumulator, 16, 16, 16, int> sum;
    wmma::fill_fragment(sum, 3);
    wmma::store_matrix_sync(tile, sum, 16, wmma::mem_row_major);
    sums[threadIdx.x] = tile[threadIdx.x]; // <-- guilty
}
