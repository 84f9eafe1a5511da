// gridlock: verdict = refuted
// gridlock: kind = assertion
// gridlock: block = 4
// gridlock: extent = a=4
// gridlock: why = the constructor of one function's class is taken for that of the other

template <int N> __device__ int nearby(int x)
{
    struct Moved {
        int v;
        __device__ Moved(int x) : v(x + N) {}
    };
    Moved moved(x);
    return moved.v;
}

__device__ int plain(int x)
{
    struct Moved {
        int v;
        __device__ Moved(int x) : v(x) {}
    };
    Moved moved(x);
    return moved.v;
}

__global__ void k(int *a)
{
    int t = threadIdx.x;
    a[t] = nearby<5>(t) * 10000 + nearby<7>(t) * 100 + plain(t);
    assert(a[t] == (t + 5) * 10000 + (t + 5) * 100 + t);
}
