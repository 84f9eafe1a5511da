// gridlock: verdict = refuted
// gridlock: kind = assertion
// gridlock: grid = 1
// gridlock: block = 8
// gridlock: why = the first coordinate of a surface counts bytes, and none of an element begins at the second one

__global__ void fill(cudaSurfaceObject_t line)
{
    int x = threadIdx.x;
    surf1Dwrite(x, line, x); // <-- guilty
}
