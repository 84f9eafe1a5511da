// gridlock: verdict = refuted
// gridlock: kind = out-of-bounds
// gridlock: arg = n=10
// gridlock: extent = a=n
// gridlock: why = the first turn reads the cell before the array

void prefix_sums(int *a, int n)
{
    for (int i = 0; i < n; i++)
        a[i] += a[i - 1]; // <-- guilty
}
