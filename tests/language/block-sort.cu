// gridlock: verdict = passed
// gridlock: block = 8
// gridlock: extent = in=16
// gridlock: extent = out=16
// gridlock: contents = in=range:16:-1
// gridlock: why = sixteen numbers, sorted by a block

#include <cub/cub.cuh>

__global__ void sort(const int *in, int *out)
{
    typedef cub::BlockLoad<int, 8, 2, cub::BLOCK_LOAD_TRANSPOSE> Load;
    typedef cub::BlockRadixSort<int, 8, 2> Sort;
    typedef cub::BlockStore<int, 8, 2> Store;
    __shared__ union {
        typename Load::TempStorage load;
        typename Sort::TempStorage sort;
        typename Store::TempStorage store;
    } storage;
    int items[2];
    int t = threadIdx.x;
    Load(storage.load).Load(in, items);
    assert(items[0] == 16 - 2 * t && items[1] == 15 - 2 * t);
    __syncthreads();
    Sort(storage.sort).Sort(items);
    assert(items[0] == 2 * t + 1 && items[1] == 2 * t + 2);
    __syncthreads();
    Store(storage.store).Store(out, items);
    assert(out[2 * t] == 2 * t + 1);
}
