// How often there is each number from 0 below m.
void histogram(const int *key, int *bins, int m, int n)
{
    for (int i = 0; i < n; i++) {
        int k = key[i];
        if (k >= 0 && k < m)
            bins[k]++;
    }
}
