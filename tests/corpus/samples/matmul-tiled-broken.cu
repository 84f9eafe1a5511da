// gridlock: verdict = refuted
// gridlock: kind = uninitialised-read
// gridlock: grid = 2,2
// gridlock: block = 4,4
// gridlock: arg = M=6
// gridlock: arg = N=7
// gridlock: arg = K=5
// gridlock: extent = A=30
// gridlock: extent = B=35
// gridlock: extent = C=42
// gridlock: why = beyond the edges nobody fills the tiles

// C = A * B for row-major A (M x K) and B (K x N) of any size.

#define TILE 4

__global__ void sgemm(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C,
                      int M, int N, int K)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * TILE + ty;
    const int col = blockIdx.x * TILE + tx;
    float acc = 0.0f;

    for (int t = 0; t < (K + TILE - 1) / TILE; ++t) {
        int a_col = t * TILE + tx;
        int b_row = t * TILE + ty;
        if (row < M && a_col < K)
            As[ty][tx] = A[row * K + a_col];
        if (b_row < K && col < N)
            Bs[ty][tx] = B[b_row * N + col];
        __syncthreads();
#pragma unroll
        for (int k = 0; k < TILE; ++k)
            acc += As[ty][k] * Bs[k][tx]; // <-- guilty
        __syncthreads();
    }
    if (row < M && col < N)
        C[row * N + col] = acc;
}
