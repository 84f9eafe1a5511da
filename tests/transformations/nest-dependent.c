void f(int *a, int *b, int n)
{
    for (int i = 0; i < n - 1; i++)
        for (int j = 0; j < 3; j++)
            b[i] = b[i + 1] * 3 + a[j];
}
