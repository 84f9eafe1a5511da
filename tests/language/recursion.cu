// gridlock: verdict = passed
// gridlock: grid = 1
// gridlock: block = 8
// gridlock: recursion = 4
// gridlock: why = each thread sorts a row of its own by a function that calls itself

__device__ void sort(int *a, int low, int high)
{
    if (low >= high)
        return;
    int pivot = a[high];
    int at = low;
    for (int i = low; i < high; i++) {
        if (a[i] < pivot) {
            int held = a[i];
            a[i] = a[at];
            a[at] = held;
            at++;
        }
    }
    a[high] = a[at];
    a[at] = pivot;
    sort(a, low, at - 1);
    sort(a, at + 1, high);
}

__global__ void rows(int *a)
{
    sort(a, threadIdx.x * 4, threadIdx.x * 4 + 3);
    assert(a[threadIdx.x * 4] <= a[threadIdx.x * 4 + 1]);
    assert(a[threadIdx.x * 4 + 2] <= a[threadIdx.x * 4 + 3]);
}
