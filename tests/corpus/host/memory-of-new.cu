// gridlock: verdict = passed
// gridlock: kernel = run
// gridlock: arg = n=4
// gridlock: why = what new made goes to delete, and what malloc made to free

#include <cuda_runtime.h>
#include <stdlib.h>

int run(int n)
{
    int *a = new int[n];
    int *b = (int *)malloc(n * sizeof(int));
    for (int i = 0; i < n; i++) {
        a[i] = i;
        b[i] = a[i];
    }
    delete[] a;
    free(b);
    return n;
}
