// gridlock: verdict = refuted
// gridlock: kind = data-race
// gridlock: kind = uninitialised-read
// gridlock: block = 16
// gridlock: extent = a=64
// gridlock: why = sums are read before the others have written theirs

#include <array>
#include <cuda/std/array>
#include <cuda/std/limits>
#include <limits>

struct Row {
    std::array<int, 4> cells;
    __device__ int sum() const
    {
        int s = 0;
        for (int x : cells)
            s += x;
        return s;
    }
};

__global__ void rows(int *a)
{
    __shared__ cuda::std::array<int, 16> sums;
    int t = threadIdx.x;
    Row row;
    for (int k = 0; k < (int)row.cells.size(); k++)
        row.cells[k] = (a[4 * t + k] & 0xff) + t;
    sums[t] = row.sum();
    int least = cuda::std::numeric_limits<int>::max();
    for (int k = 0; k < 16; k++)
        least = sums[k] < least ? sums[k] : least;
    assert(least <= sums[t] && least < std::numeric_limits<int>::max());
    a[4 * t] = least;
}
