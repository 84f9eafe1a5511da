// gridlock: verdict = refuted
// gridlock: kind = data-race
// gridlock: block = 8
// gridlock: why = a reference that is bound moves the end of the range into the next thread's

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
    end = begin + 5;
    for (int i = own.first; i < own.last; i++)
        out[i] = threadIdx.x; // <-- guilty
    ends[threadIdx.x] = last;
}
