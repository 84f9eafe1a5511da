// gridlock: verdict = proved
// gridlock: grid = 2,2
// gridlock: block = 8,8
// gridlock: why = each thread reads and writes the cell with its own coordinates

__global__ void brighten(cudaSurfaceObject_t picture, cudaSurfaceObject_t volume, int width)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    uchar4 colour = surf2Dread<uchar4>(picture, x * sizeof(uchar4), y);
    colour.x += 16;
    surf2Dwrite(colour, picture, x * sizeof(uchar4), y);
    float depth;
    surf3Dread(&depth, volume, x * 4, y, 1, cudaBoundaryModeZero);
    if (x < width)
        surf3Dwrite(depth * 2.0f, volume, x * 4, y, 1, cudaBoundaryModeZero);
}
