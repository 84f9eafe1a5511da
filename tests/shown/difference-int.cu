__global__ void apart(int *a, float *b, int n, int m, float x, float y)
{
    a[0] = m - n;
    b[0] = x - y;
}
