// gridlock: verdict = refuted
// gridlock: kind = assertion
// gridlock: grid = 2
// gridlock: block = 16
// gridlock: why = other coordinates may give another value

#include <assert.h>

texture<uchar4, 2, cudaReadModeElementType> tiles;

__device__ int look(cudaTextureObject_t from, float x, float y)
{
    return tex2D<int>(from, x, y);
}

__global__ void compare(cudaTextureObject_t map, const cudaTextureObject_t *more, int *out, float x)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float at = x + i;
    assert(tex2D<int>(map, at, 0.5f) == look(map, x + i, 1.5f)); // <-- guilty
    assert(tex3D<int>(more[i], x, at, x) == tex3D<int>(more[i], x, at, x));
    uchar4 tile = tex2D(tiles, at, x);
    assert(tile.y == tex2D(tiles, at, x).y);
    out[i] = tile.x + tex1DLayered<short>(map, at, i);
}
