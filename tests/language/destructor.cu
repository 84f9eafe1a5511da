// gridlock: verdict = passed
// gridlock: block = 32
// gridlock: extent = a=32
// gridlock: extent = counts=1
// gridlock: contents = counts=zero
// gridlock: why = the destructor of an object runs at the end of its block

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
    }
    __syncthreads();
    assert(*counts == 48);
}
