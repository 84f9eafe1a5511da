/* x1 := x1 + A y1, x2 := x2 + At y2 */
void mvt(int n, float *x1, float *x2, const float *y1, const float *y2, const float *A)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            x1[i] = x1[i] + A[i * n + j] * y1[j];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            x2[i] = x2[i] + A[j * n + i] * y2[j];
}
