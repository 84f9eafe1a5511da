// gridlock: verdict = refuted
// gridlock: kind = barrier-divergence
// gridlock: block = 8
// gridlock: extent = a=8
// gridlock: extent = b=8
// gridlock: why = half of the threads have no such object, and wait nowhere

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
    if (t % 2) {
        Meeting some;
        b[t] += 1;
    }
}
