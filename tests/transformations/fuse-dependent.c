void f(int *a, int *b, int n)
{
    for (int i = 0; i < n - 1; i++)
        a[i] = b[i];
    for (int j = 0; j < n - 1; j++)
        b[j] = a[j + 1];
}
