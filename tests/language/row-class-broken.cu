// gridlock: verdict = refuted
// gridlock: kind = data-race
// gridlock: block = 32
// gridlock: grid = 2
// gridlock: why = rows of five elements laid out four apart: each thread writes its neighbour's first

template <class T>
class row {
    T *start;
    int length;

public:
    __device__ row(T *all, int index, int n) : start(all + index * n), length(n + 1) {}
    __device__ T &operator[](int i) { return start[i]; }
    __device__ int size() const { return length; }
};

__global__ void rows(int *all)
{
    row<int> mine(all, blockIdx.x * blockDim.x + threadIdx.x, 4);
    for (int i = 0; i < mine.size(); i++)
        mine[i] = i;
}
