// gridlock: verdict = refuted
// gridlock: kind = out-of-bounds
// gridlock: grid = 5
// gridlock: block = 4
// gridlock: arg = vocab=20
// gridlock: arg = dim=6
// gridlock: extent = tokens=5
// gridlock: extent = table=120
// gridlock: extent = out=30
// gridlock: few-grid = 2
// gridlock: few-block = 1
// gridlock: few-arg = dim=2
// gridlock: why = only tokens beyond the vocabulary get zeros; padding is negative

// One block a token, threads across the dimensions.

__global__ void embedding_forward(const int *__restrict__ tokens, const float *__restrict__ table,
                                  float *__restrict__ out, int vocab, int dim)
{
    const int pos = blockIdx.x;
    const int token = tokens[pos];
    const bool known = token < vocab;

    for (int d = threadIdx.x; d < dim; d += blockDim.x)
        out[pos * dim + d] = known ? table[token * dim + d] : 0.0f; // <-- guilty
}
