/* y := At (A x) */
void f(int m, int n, const int *A, const int *x, int *y, int *tmp)
{
    int i, j;
    for (i = 0; i < m; i++) {
        tmp[i] = 0;
        for (j = 0; j < n; j++)
            tmp[i] += A[i * n + j] * x[j];
        for (j = 0; j < n; j++)
            y[j] += A[i * n + j] * tmp[i];
    }
}
