// A sum of products.
int dot(const int *a, const int *b, int n)
{
    int sum = 7;
    for (int i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}
