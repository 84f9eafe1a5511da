// gridlock: verdict = proved
// gridlock: block = 32
// gridlock: grid = 2
// gridlock: why = methods, operators and a template class over a row that only its thread touches

template <class T>
class row {
    T *start;
    int length;

public:
    __device__ row(T *all, int index, int n) : start(all + index * n), length(n) {}
    __device__ T &operator[](int i) { return start[i]; }
    __device__ int size() const { return length; }
};

struct twice {
    int by;
    __device__ int operator()(int x) const { return by * x; }
};

template <class F>
__device__ void each(row<int> &r, F f)
{
    for (int i = 0; i < r.size(); i++)
        r[i] = f(r[i]);
}

__global__ void rows(int *all)
{
    row<int> mine(all, blockIdx.x * blockDim.x + threadIdx.x, 4);
    each(mine, twice{2});
}
