// gridlock: verdict = passed
// gridlock: kernel = f
// gridlock: arg = n=11
// gridlock: extent = a=n
// gridlock: extent = b=2*n
// gridlock: extent = c=n
// gridlock: why = it runs from beginning to end

// A chunk reads cells in another order, and one of them twice; then one that is packed.
void f(const int *a, const int *b, int *c, int n)
{
    int size, left;
    int from_a[4], from_b[4], to_c[4];
    for (int chunk = 0; chunk < (n - 1) / 4 + 1; chunk = chunk + 1) {
        size = min(4, n - chunk * 4);
        for (int t = 0; t < size; t = t + 1) {
            int i = chunk * 4 + t;
            c[i] = a[n - 1 - i] * b[2 * i] + a[n - 1 - i];
        }
    }
    for (int chunk = 0; chunk < (n - 1) / 4 + 1; chunk = chunk + 1) {
        left = min(4, n - chunk * 4);
        for (int t = 0; t < left; t = t + 1) {
            int k = chunk * 4 + t;
            from_a[t] = a[k];
            from_b[t] = b[2 * k + 1];
        }
        for (int t = 0; t < left; t = t + 1)
            to_c[t] = from_a[t] - from_b[t];
        for (int t = 0; t < left; t = t + 1) {
            int k = chunk * 4 + t;
            c[k] = to_c[t];
        }
    }
}
