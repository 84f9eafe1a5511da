// gridlock: verdict = refuted
// gridlock: kind = data-race
// gridlock: block = 16
// gridlock: few-block = 2
// gridlock: why = both partners compare and swap

#define MAX_KEYS 64

__global__ void bitonic_sort(int *data)
{
    __shared__ int s[MAX_KEYS];
    unsigned int tid = threadIdx.x;

    s[tid] = data[tid];
    __syncthreads();
    for (unsigned int k = 2; k <= blockDim.x; k <<= 1) {
        for (unsigned int j = k >> 1; j > 0; j >>= 1) {
            unsigned int ixj = tid ^ j;
            if (ixj != tid) {
                bool ascending = (tid & k) == 0;
                if ((s[tid] > s[ixj]) == ascending) { // <-- guilty
                    int tmp = s[tid];
                    s[tid] = s[ixj];
                    s[ixj] = tmp;
                }
            }
            __syncthreads();
        }
    }
    data[tid] = s[tid];
}
