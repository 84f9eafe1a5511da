// gridlock: verdict = passed
// gridlock: block = 1
// gridlock: arg = stop=0
// gridlock: why = the loop ends when enough was written

__global__ void last(int *a, int *out, int stop)
{
    unsigned k = 0;
    while (stop == 0) {
        a[0] = k++;
        stop = k > 20;
    }
    if (a[0] > 7)
        out[0] = a[0];
}
