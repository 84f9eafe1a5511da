// gridlock: verdict = passed
// gridlock: block = 4
// gridlock: why = thread 0 counts to an end, and all meet

__global__ void one_counts(int *a)
{
    if (threadIdx.x == 0) {
        unsigned n = 0;
        while (n < 200) {
            n += 3;
            a[0] = n;
        }
    }
    __syncthreads();
    a[threadIdx.x + 1] = 1;
}
