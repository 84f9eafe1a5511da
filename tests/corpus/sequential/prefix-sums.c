// gridlock: verdict = passed
// gridlock: arg = n=10
// gridlock: extent = a=n
// gridlock: why = the loop starts where there is a cell before

void prefix_sums(int *a, int n)
{
    for (int i = 1; i < n; i++)
        a[i] += a[i - 1];
}
