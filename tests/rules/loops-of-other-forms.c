// gridlock: verdict = passed
// gridlock: kernel = f
// gridlock: arg = n=6
// gridlock: extent = a=n
// gridlock: extent = b=n
// gridlock: why = it runs from beginning to end

void f(const int *a, int *b, int n)
{
    for (int i = n - 1; i >= 0; i--)
        b[i] = a[i] + 1;
    for (int i = n; i > 0; i--)
        b[i - 1] = b[i - 1] * 2;
    for (int i = 0; i != n; i++)
        b[i] = b[i] + a[i];
    for (int i = 1; n - 1 >= i; i++)
        b[i] = b[i] + a[i - 1];
}
