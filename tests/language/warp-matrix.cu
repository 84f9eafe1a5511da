// gridlock: verdict = passed
// gridlock: grid = 1
// gridlock: block = 64
// gridlock: why = each warp stores a tile of its own, and lanes wait for it before they read one another's part

#include <mma.h>
using namespace nvcuda;

__global__ void multiply(const half *a, const half *b, float *c, float *sums)
{
    __shared__ float tiles[2][256];
    int warp = threadIdx.x / 32;
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> left;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> right;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
    wmma::fill_fragment(sum, 0.0f);
    wmma::load_matrix_sync(left, a + warp * 256, 16);
    wmma::load_matrix_sync(right, b, 16);
    wmma::mma_sync(sum, left, right, sum);
    for (int t = 0; t < sum.num_elements; t++)
        sum.x[t] *= 2.0f;
    wmma::store_matrix_sync(tiles[warp], sum, 16, wmma::mem_row_major);
    wmma::store_matrix_sync(c + warp * 256, sum, 16, wmma::mem_col_major);
    __syncwarp();
    sums[threadIdx.x] = tiles[warp][threadIdx.x % 32];
}
