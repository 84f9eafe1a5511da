void f(const int *a, int *b, int n)
{
    for (int i = 1; i <= n - 2; i++)
        b[i] = a[i - 1] + a[i + 1];
}
