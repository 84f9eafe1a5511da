// The greatest number, and how many are positive.
void greatest(const int *a, int *out, int n)
{
    int most = a[0], above = 0;
    for (int i = 0; i < n; i++) {
        if (a[i] > most)
            most = a[i];
        if (a[i] > 0)
            above++;
    }
    out[0] = most;
    out[1] = above;
}
