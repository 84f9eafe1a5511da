void scale(int *a, const int *b, int n)
{
    for (int i = 0; i < n; i++)
        a[i] = a[i] * 2 + b[i];
}
