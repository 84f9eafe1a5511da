void f(int *a, int *b, int n)
{
    for (int i = 0; i < n - 1; i++) {
        a[i] = i;
        b[i] = a[i + 1];
    }
}
