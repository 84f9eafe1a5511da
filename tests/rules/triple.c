// gridlock: verdict = passed
// gridlock: kernel = product
// gridlock: arg = n=8
// gridlock: extent = a=n*n
// gridlock: extent = b=n*n
// gridlock: extent = c=n*n
// gridlock: why = it runs from beginning to end

void product(const int *a, const int *b, int *c, int n)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            int sum = 0;
            for (int k = 0; k < n; k++)
                sum += a[i * n + k] * b[k * n + j];
            c[i * n + j] = sum;
        }
}
