// gridlock: verdict = refuted
// gridlock: kind = out-of-bounds
// gridlock: grid = 2
// gridlock: block = 2
// gridlock: arg = na=9
// gridlock: arg = nb=7
// gridlock: extent = a=na
// gridlock: extent = b=nb
// gridlock: extent = out=16
// gridlock: few-block = 1
// gridlock: few-arg = na=3
// gridlock: few-arg = nb=2
// gridlock: why = the elements are compared though one input may be used up

// Each thread finds by bisection where its diagonal cuts the path, and merges ITEMS elements from there.

__device__ int diagonal_search(const int *a, int na, const int *b, int nb, int diag)
{
    int lo = max(0, diag - nb);
    int hi = min(diag, na);
    while (lo < hi) {
        int mid = (lo + hi) >> 1;
        if (a[mid] <= b[diag - 1 - mid])
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

__global__ void merge_sorted(const int *__restrict__ a, int na, const int *__restrict__ b, int nb,
                             int *__restrict__ out)
{
    int total = na + nb;
    int n_threads = gridDim.x * blockDim.x;
    int items = (total + n_threads - 1) / n_threads;
    int diag = min((int)(blockIdx.x * blockDim.x + threadIdx.x) * items, total);
    int end = min(diag + items, total);
    int i = diagonal_search(a, na, b, nb, diag);
    int j = diag - i;

    for (int k = diag; k < end; k++) {
        bool take_a = i < na && a[i] <= b[j]; // <-- guilty
        out[k] = take_a ? a[i++] : b[j++];
    }
}
