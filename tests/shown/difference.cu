__global__ void apart(int *a, float *b, int n, int m, float x, float y)
{
    a[0] = n - m;
    b[0] = x - y;
}
