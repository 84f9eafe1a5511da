void f(const int *a, int *b, int n)
{
    for (int i = 1; i < n; i++)
        b[i] = 2 * a[i];
}
