/* C := alpha A At + beta C, the lower triangle */
void syrk(int n, int m, float alpha, float beta, float *C, const float *A)
{
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++)
            C[i * n + j] *= beta;
        for (int k = 0; k < m; k++)
            for (int j = 0; j <= i; j++)
                C[i * n + j] += alpha * A[i * m + k] * A[j * m + k];
    }
}
