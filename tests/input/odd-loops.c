void f(int *a, int *b, int n) {
    for (int i = 0; i * i < n; i++)
        a[i] = b[i];
    for (int i = 1; i < n; i *= 2)
        b[i] = a[i];
    while (a[0] > 0)
        a[0] = a[0] - n;
    for (int i = 1; i < n; i++)
        a[i] = a[i - 1];
}
int find(const int *a, int n) {
    for (int i = 0; i < n; i++)
        if (a[i] == 0)
            return i;
    return n;
}
void scale(int n, int a[n][n]) {
    for (int i = 0; i < n; i++)
        a[i][i] = 2 * a[i][i];
}
