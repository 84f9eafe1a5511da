/* D := alpha A B C + beta D */
void two_products(int ni, int nj, int nk, int nl, float alpha, float beta, float *tmp, const float *A,
                  const float *B, const float *C, float *D)
{
    for (int i = 0; i < ni; i++)
        for (int j = 0; j < nj; j++) {
            tmp[i * nj + j] = 0.0f;
            for (int k = 0; k < nk; k++)
                tmp[i * nj + j] += alpha * A[i * nk + k] * B[k * nj + j];
        }
    for (int i = 0; i < ni; i++)
        for (int j = 0; j < nl; j++) {
            D[i * nl + j] *= beta;
            for (int k = 0; k < nj; k++)
                D[i * nl + j] += tmp[i * nj + k] * C[k * nl + j];
        }
}
