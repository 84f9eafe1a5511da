// gridlock: verdict = refuted
// gridlock: kind = out-of-bounds
// gridlock: grid = 2,2
// gridlock: block = 4,3
// gridlock: arg = w=7
// gridlock: arg = h=6
// gridlock: extent = cells=42
// gridlock: extent = next=42
// gridlock: few-grid = 1,1
// gridlock: few-block = 2,2
// gridlock: few-arg = w=2
// gridlock: few-arg = h=2
// gridlock: why = the remainder of -1 is -1: there is no cell to the left of the first column

__global__ void life_step(const unsigned char *__restrict__ cells, unsigned char *__restrict__ next, int w, int h)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h)
        return;

    int alive = 0;
    for (int dy = -1; dy <= 1; dy++) {
        for (int dx = -1; dx <= 1; dx++) {
            if (dx == 0 && dy == 0)
                continue;
            int nx = (x + dx) % w;
            int ny = (y + dy) % h;
            alive += cells[ny * w + nx] & 1; // <-- guilty
        }
    }
    next[y * w + x] = alive == 3 || (alive == 2 && (cells[y * w + x] & 1));
}
