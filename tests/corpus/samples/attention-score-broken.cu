// gridlock: verdict = refuted
// gridlock: kind = out-of-bounds
// gridlock: grid = 2,3
// gridlock: block = 4
// gridlock: arg = seq_len=5
// gridlock: arg = head_dim=6
// gridlock: extent = Q=60
// gridlock: extent = K=60
// gridlock: extent = S=50
// gridlock: few-grid = 1,1
// gridlock: few-block = 2
// gridlock: few-arg = seq_len=2
// gridlock: few-arg = head_dim=2
// gridlock: why = the last tile of keys is read as if it were full; only the writing is guarded

// Scores of one head: S[h][i][j] = scale * Q[h][i] . K[h][j], masked for j > i. A block takes ROWS
// queries of a head, and the keys a tile at a time.

#define ROWS 2
#define MAX_DIM 8
#define NEG_INF (-1.0e30f)

__global__ void attention_scores(const float *__restrict__ Q, const float *__restrict__ K,
                                 float *__restrict__ S, int seq_len, int head_dim)
{
    __shared__ float q_tile[ROWS][MAX_DIM];
    const int head = blockIdx.x;
    const int q0 = blockIdx.y * ROWS;
    const float scale = 1.0f / sqrtf((float)head_dim);

    for (int e = threadIdx.x; e < ROWS * head_dim; e += blockDim.x) {
        int r = e / head_dim, d = e % head_dim;
        q_tile[r][d] = q0 + r < seq_len ? Q[(head * seq_len + q0 + r) * head_dim + d] : 0.0f;
    }
    __syncthreads();

    for (int j0 = 0; j0 < seq_len; j0 += blockDim.x) {
        int j = j0 + threadIdx.x;
        for (int r = 0; r < ROWS; r++) {
            int i = q0 + r;
            if (i >= seq_len)
                break;
            float dot = 0.0f;
            for (int d = 0; d < head_dim; d++)
                dot += q_tile[r][d] * K[(head * seq_len + j) * head_dim + d]; // <-- guilty
            if (j < seq_len)
                S[(head * seq_len + i) * seq_len + j] = j <= i ? dot * scale : NEG_INF;
        }
    }
}
