// gridlock: verdict = refuted
// gridlock: kind = out-of-bounds
// gridlock: block = 8
// gridlock: extent = out=8
// gridlock: extent = in=8
// gridlock: contents = in=range:0:1
// gridlock: why = the loader that is not checked goes past the end

class Place {
protected:
    int end;
    int step;
};

template <class T, bool CHECKED> class Loader : protected Place {
    int last;

public:
    __device__ void init(int first, int n)
    {
        last = first;
        step = 4;
        end = CHECKED ? n : 1 << 30;
    }
    __device__ T next(const T *from)
    {
        if (last < end)
            last += step;
        return last < end ? from[last] : T(-1);
    }
};

template <bool CHECKED> struct Column {
    Loader<int, CHECKED> loader;
    int offset;
};

template <bool CHECKED> __device__ int sum(const int *in)
{
    Column<CHECKED> column;
    column.loader.init(threadIdx.x, 8);
    column.offset = 10;
    int first = column.loader.next(in);
    return first + column.loader.next(in) + column.offset; // <-- guilty
}

__global__ void load(const int *in, int *out)
{
    out[threadIdx.x] = sum<false>(in);
    assert(out[threadIdx.x] == (threadIdx.x < 4 ? (int)threadIdx.x + 13 : 8));
}
