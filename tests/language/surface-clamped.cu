// gridlock: verdict = proved
// gridlock: grid = 1
// gridlock: block = 64
// gridlock: why = what threads beyond the last cell write is thrown away

__global__ void fill(cudaSurfaceObject_t line)
{
    int x = threadIdx.x;
    surf1Dwrite(x, line, x * 4, cudaBoundaryModeZero);
}
