struct Colour { int r, g, b; };

template <class T> __global__ void spread(T *p)
{
    __shared__ T s[16];
    int t = threadIdx.x;
    s[t] = p[t];
    s[t / 2].g = t;
    __syncthreads();
    p[t] = s[t];
}

template __global__ void spread<Colour>(Colour *);
