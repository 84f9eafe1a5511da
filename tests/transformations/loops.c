void f(int *a, int *b, int n)
{
    for (int i = 0; i < n; i++)
        a[i] = a[i] * 2;
    for (int j = 0; j < n; j++)
        b[j] = a[j] + 1;
    for (int i = 0; i < 4; i++) {
        a[i] = a[i] + i;
        b[i] = b[i] + a[i];
    }
}
