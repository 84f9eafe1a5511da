void f(const int *a, int *b, int *c, int *first, int n)
{
    for (int i = 0; i < n; i++)
        b[i] = 2 * a[i];
    for (int j = 0; j < n; j++)
        c[j] = b[j] + 1;
    first[0] = n > 0 ? c[0] : 0;
    for (int k = 0; k < n; k++)
        b[k] = b[k] + c[k];
}
