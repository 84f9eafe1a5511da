// gridlock: verdict = refuted
// gridlock: kind = livelock
// gridlock: block = 1
// gridlock: why = the count is divided by 7 for ever

__global__ void divide(unsigned *a)
{
    unsigned n = 1;
    while (true) { // <-- guilty
        a[0] = n / 7 + (n << 3);
        n += 1;
    }
}
