void f(int *a, int *b, int n)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 3; j++)
            b[i] = b[i] * 3 + a[j];
}
