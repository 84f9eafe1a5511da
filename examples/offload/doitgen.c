/* A[r][q][.] := A[r][q][.] C4 */
void doitgen(int nr, int nq, int np, float *A, const float *C4, float *sum)
{
    for (int r = 0; r < nr; r++)
        for (int q = 0; q < nq; q++) {
            for (int p = 0; p < np; p++) {
                sum[p] = 0.0f;
                for (int s = 0; s < np; s++)
                    sum[p] += A[(r * nq + q) * np + s] * C4[s * np + p];
            }
            for (int p = 0; p < np; p++)
                A[(r * nq + q) * np + p] = sum[p];
        }
}
