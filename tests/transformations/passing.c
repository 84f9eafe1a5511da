void f(int *a, int *b, int n)
{
    int x;
    for (int i = 0; i < n; i++) {
        x = a[i] * 3;
        b[i] = x + 1;
    }
}
