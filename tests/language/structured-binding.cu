// gridlock: verdict = proved
// gridlock: block = 8
// gridlock: why = what is bound are copies of the members, or the members themselves

struct Range {
    int first, last;
};

__device__ Range of_thread(int t, int n)
{
    return Range{t * n, t * n + n};
}

__global__ void fill(int *out, int *ends, int n)
{
    auto [first, last] = of_thread(threadIdx.x, 4);
    Range own = {first, last};
    auto &[begin, end] = own;
    begin += 0;
    end = begin + 4;
    for (int i = own.first; i < own.last; i++)
        out[i] = n;
    ends[threadIdx.x] = last;
}
