// gridlock: verdict = passed
// gridlock: block = 8
// gridlock: extent = a=8
// gridlock: extent = b=8
// gridlock: why = the barrier in the destructor is one barrier, however the threads leave the block

struct Meeting {
    __device__ ~Meeting() { __syncthreads(); }
};

__global__ void k(int *a, int *b)
{
    int t = threadIdx.x;
    {
        Meeting all;
        for (int i = 0; i < 3; i++) {
            a[t] = i;
            if (i == t)
                break;
        }
    }
    b[t] = a[7 - t];
    Meeting all;
    if (t % 2)
        return;
    b[t] += 1;
}
