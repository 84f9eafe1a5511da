// gridlock: verdict = refuted
// gridlock: kind = livelock
// gridlock: block = 1
// gridlock: arg = n=70000
// gridlock: why = the counter has 16 bits, and n is more than they hold

__global__ void count(int *a, int n)
{
    for (unsigned short i = 0; i < n; i++) // <-- guilty
        a[0] = i;
}
