// gridlock: verdict = passed
// gridlock: kernel = f
// gridlock: arg = n=7
// gridlock: extent = a=n
// gridlock: extent = b=n
// gridlock: why = it runs from beginning to end

void f(const int *a, int *b, int n)
{
    for (int i = 0; i < n; i++)
        b[0] &= a[i];
    for (int i = 0; i < n; i++)
        b[1] |= a[i];
    for (int i = 0; i < n; i++)
        b[2] ^= a[i];
    for (int i = 0; i < n; i++)
        if (a[i] < b[3])
            b[3] = a[i];
    for (int i = 0; i < n; i++)
        if (b[4] <= a[i])
            b[4] = a[i];
    for (int i = 0; i < n; i++)
        b[5] = a[i] < b[5] ? a[i] : b[5];
    for (int i = 0; i < n; i++)
        b[6] = b[6] > a[i] ? b[6] : a[i];
}
