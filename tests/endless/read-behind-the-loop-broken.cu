// gridlock: verdict = refuted
// gridlock: kind = livelock
// gridlock: block = 1
// gridlock: arg = stop=0
// gridlock: why = what is written in the loop is read behind it, where nobody comes

__global__ void last(int *a, int *out, int stop)
{
    unsigned k = 0;
    while (stop == 0) // <-- guilty
        a[0] = k++;
    if (a[0] > 7)
        out[0] = a[0];
}
