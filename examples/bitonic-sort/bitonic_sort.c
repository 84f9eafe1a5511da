/* Bitonic sort (Batcher, 1968) of n integers, n a power of two, in plain sequential C. */

static void swap(int *x, int *y)
{
    int t = *x;
    *x = *y;
    *y = t;
}

void bitonic_sort(int *a, int n)
{
    for (int k = 2; k <= n; k <<= 1)
        for (int j = k >> 1; j > 0; j >>= 1)
            for (int i = 0; i < n; i++) {
                int ixj = i ^ j;
                if (ixj > i) {
                    if ((i & k) == 0 && a[i] > a[ixj])
                        swap(&a[i], &a[ixj]);
                    if ((i & k) != 0 && a[i] < a[ixj])
                        swap(&a[i], &a[ixj]);
                }
            }
}
