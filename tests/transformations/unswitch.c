void add(const int *a, int *b, int n, int up)
{
    for (int i = 0; i < n; i++) {
        if (b[0] > 3)
            b[i] = b[i] + 1;
        b[0] = b[0] + a[i];
    }
    for (int i = 0; i < n; i++) {
        b[i] = b[i] + a[i];
        if (up > 0)
            b[i + 1] = b[i + 1] + b[i];
    }
}
