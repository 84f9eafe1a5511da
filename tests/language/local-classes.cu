// gridlock: verdict = passed
// gridlock: block = 4
// gridlock: extent = a=4
// gridlock: why = each function has a class of this name, and each instance of the template

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
    assert(a[t] == (t + 5) * 10000 + (t + 7) * 100 + t);
}
