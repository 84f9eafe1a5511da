void relax(const float *a, float *b, int m, int n)
{
    for (int i = 1; i < m - 1; i++)
        for (int j = 1; j < n - 1; j++)
            b[i * n + j] = 0.25f * (a[i * n + j - 1] + a[i * n + j + 1] + a[(i - 1) * n + j] + a[(i + 1) * n + j]);
}
