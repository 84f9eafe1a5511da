// The loop of counted_break.cu without `for`.
__global__ void f(const int *key, int *out)
{
    int d = 0;
    int c = 0;
    int i = 0;
    while (i < 4) {
        d++;
        if (key[i] < 0)
            break;
        i++;
        c++;
    }
    out[threadIdx.x] = c - d;
}
