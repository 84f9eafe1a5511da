// gridlock: verdict = refuted
// gridlock: kind = data-race
// gridlock: grid = 1
// gridlock: block = 64
// gridlock: why = threads beyond the last cell all write it

__global__ void fill(cudaSurfaceObject_t line)
{
    int x = threadIdx.x;
    surf1Dwrite(x, line, x * 4, cudaBoundaryModeClamp); // <-- guilty
}
