// gridlock: verdict = refuted
// gridlock: kind = data-race
// gridlock: grid = 2,2
// gridlock: block = 8,8
// gridlock: why = a thread reads the cell of its neighbour, which the neighbour writes

__global__ void smear(cudaSurfaceObject_t picture)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    uchar4 colour = surf2Dread<uchar4>(picture, (x + 1) * sizeof(uchar4), y);
    colour.x += 16;
    surf2Dwrite(colour, picture, x * sizeof(uchar4), y); // <-- guilty
}
