// Ten generations of 512 x 512 cells, two arrays in turn.
#include "check.h"
#include <utility>
#include <vector>

__global__ void step(const unsigned char *now, unsigned char *next, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    int alive = 0;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++) {
            int u = (x + dx + width) % width, v = (y + dy + height) % height;
            if (dx != 0 || dy != 0)
                alive += now[v * width + u];
        }
    next[y * width + x] = alive == 3 || (alive == 2 && now[y * width + x]);
}

int main()
{
    const int width = 512, height = 512, generations = 10;
    std::vector<unsigned char> cells(width * height);
    for (size_t i = 0; i < cells.size(); i++)
        cells[i] = std::rand() % 3 == 0;
    unsigned char *now, *next;
    CHECK(cudaMalloc(&now, cells.size()));
    CHECK(cudaMalloc(&next, cells.size()));
    CHECK(cudaMemcpy(now, cells.data(), cells.size(), cudaMemcpyHostToDevice));
    dim3 block(16, 16);
    dim3 grid((width + block.x - 1) / block.x, (height + block.y - 1) / block.y);
    for (int g = 0; g < generations; g++) {
        step<<<grid, block>>>(now, now, width, height);
        CHECK(cudaGetLastError());
        std::swap(now, next);
    }
    CHECK(cudaMemcpy(cells.data(), now, cells.size(), cudaMemcpyDeviceToHost));
    int alive = 0;
    for (unsigned char cell : cells)
        alive += cell;
    std::printf("%d alive\n", alive);
    CHECK(cudaFree(now));
    CHECK(cudaFree(next));
    return 0;
}
