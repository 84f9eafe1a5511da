// A thread may end in the middle of a loop: what stands behind in program order is not done.

__global__ void together(int *a, const int *b)
{
    for (int i = 0; i < 4; i++) {
        if (b[i] > 0)
            return;
        a[i] = 7;
    }
}

__global__ void apart(int *a, int *b)
{
    for (int i = 0; i < 4; i++)
        a[i] = 7;
    for (int j = 0; j < 4; j++) {
        if (b[j] > 0)
            return;
        b[j] = 1;
    }
}
