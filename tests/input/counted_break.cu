// Steps that run in rounds that come to their end, not in the one that breaks off.
__global__ void f(const int *key, int *out)
{
    int d = 0;
    int c = 0;
    for (int i = 0; i < 4; i++, c++) {
        d++;
        if (key[i] < 0)
            break;
    }
    out[threadIdx.x] = c - d;
}
