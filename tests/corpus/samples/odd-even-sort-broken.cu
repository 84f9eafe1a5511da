// gridlock: verdict = refuted
// gridlock: kind = barrier-divergence
// gridlock: block = 8
// gridlock: arg = n=15
// gridlock: extent = data=n
// gridlock: few-block = 2
// gridlock: few-arg = n=3
// gridlock: why = the threads without a pair pass over the barrier

#define MAX_N 64

__global__ void odd_even_sort(int *data, int n)
{
    __shared__ int s[MAX_N];
    int t = threadIdx.x;

    for (int i = t; i < n; i += blockDim.x)
        s[i] = data[i];
    __syncthreads();

    for (int phase = 0; phase < n; phase++) {
        int left = 2 * t + (phase & 1);
        if (left + 1 < n) {
            if (s[left] > s[left + 1]) {
                int tmp = s[left];
                s[left] = s[left + 1];
                s[left + 1] = tmp;
            }
            __syncthreads(); // <-- guilty
        }
    }
    __syncthreads();
    for (int i = t; i < n; i += blockDim.x)
        data[i] = s[i];
}
