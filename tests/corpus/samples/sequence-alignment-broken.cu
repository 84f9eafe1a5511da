// gridlock: verdict = refuted
// gridlock: kind = uninitialised-read, data-race
// gridlock: block = 4
// gridlock: arg = n=6
// gridlock: arg = penalty=2
// gridlock: extent = a=n
// gridlock: extent = b=n
// gridlock: few-block = 2
// gridlock: few-arg = n=2
// gridlock: why = a cell may be computed before those that it depends on

// Needleman-Wunsch on one block, an anti-diagonal at a time.

#define MAX_N 8

__global__ void align(const unsigned char *__restrict__ a, const unsigned char *__restrict__ b, int n, int penalty,
                      int *score)
{
    __shared__ int m[MAX_N + 1][MAX_N + 1];

    for (int i = threadIdx.x; i <= n; i += blockDim.x) {
        m[i][0] = -i * penalty;
        m[0][i] = -i * penalty;
    }
    __syncthreads();

    for (int diag = 2; diag <= 2 * n; diag++) {
        int first = max(1, diag - n);
        int last = min(n, diag - 1);
        for (int i = first + threadIdx.x; i <= last; i += blockDim.x) {
            int j = diag - i;
            int match = m[i - 1][j - 1] + ((a[i - 1] & 3) == (b[j - 1] & 3) ? 1 : -1);
            int gap = max(m[i - 1][j], m[i][j - 1]) - penalty; // <-- guilty
            m[i][j] = max(match, gap);
        }
    }
    __syncthreads();
    if (threadIdx.x == 0)
        *score = m[n][n];
}
