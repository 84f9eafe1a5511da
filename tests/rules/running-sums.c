// gridlock: verdict = passed
// gridlock: kernel = f
// gridlock: arg = n=7
// gridlock: extent = a=n
// gridlock: extent = b=n
// gridlock: extent = c=n
// gridlock: why = it runs from beginning to end

void f(const int *a, int *b, int *c, int n)
{
    int s = 0;
    for (int i = 0; i < n; i++) {
        s += a[i];
        b[i] = s;
    }
    int t = 1;
    for (int i = 0; i < n; i++) {
        c[i] = t;
        t = t + a[i];
    }
    for (int i = 1; i < n; i++)
        c[i] += c[i - 1];
    for (int i = 1; i < n; i++)
        b[i] = b[i - 1] + 2 * a[i];
    b[0] = s + t;
}
