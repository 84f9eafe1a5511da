// gridlock: verdict = passed
// gridlock: kernel = f
// gridlock: arg = n=6
// gridlock: extent = a=n
// gridlock: extent = b=n
// gridlock: extent = m=n*n
// gridlock: why = it runs from beginning to end

void f(int *a, int *b, int *m, int n)
{
    for (int i = 0; i < n; i++)
        a[i] = a[i] * 2;
    for (int j = 0; j < n; j++)
        b[j] = a[j] + 1;
    for (int i = 0; i < n; i++) {
        a[i] = i;
        b[i] = b[i] + a[i];
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 6; j++)
            m[i * 6 + j] += a[i] * b[j];
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 3; k++)
            b[i] = b[i] * 3 + k;
    for (int i = 1; i < n; i++)
        a[i] = a[i - 1] + b[i];
}
