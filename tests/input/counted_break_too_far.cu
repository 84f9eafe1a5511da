// Not the loop of counted_break.cu: the count goes up in the round that breaks off too.
__global__ void f(const int *key, int *out)
{
    int d = 0;
    int c = 0;
    int i = 0;
    while (i < 4) {
        d++;
        c++;
        if (key[i] < 0)
            break;
        i++;
    }
    out[threadIdx.x] = c - d;
}
