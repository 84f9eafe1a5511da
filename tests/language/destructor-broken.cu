// gridlock: verdict = refuted
// gridlock: kind = assertion
// gridlock: block = 32
// gridlock: extent = a=32
// gridlock: extent = counts=1
// gridlock: contents = counts=zero
// gridlock: why = what the destructor adds is counted before the object ends

struct Counted {
    int *counts;
    int by;
    __device__ Counted(int *counts, int by) : counts(counts), by(by) {}
    __device__ ~Counted() { atomicAdd(counts, by); }
};

__global__ void k(int *a, int *counts)
{
    int t = threadIdx.x;
    {
        Counted one(counts, 2);
        a[t] = t;
        if (t % 2)
            one.by = 1;
        __syncthreads();
        assert(*counts == 48);
    }
}
