// gridlock: verdict = proved
// gridlock: grid = 1
// gridlock: block = 8
// gridlock: why = the first coordinate of a surface counts bytes, and an element has four

__global__ void fill(cudaSurfaceObject_t line)
{
    int x = threadIdx.x;
    surf1Dwrite(x, line, x * 4);
}
