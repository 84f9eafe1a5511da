// gridlock: verdict = unknown
// gridlock: kind = limit
// gridlock: block = 1
// gridlock: why = when the count has wrapped around, the division by it fails and the run ends

__global__ void divide(unsigned *a)
{
    unsigned n = 1;
    while (true) {
        a[0] = 7 / n;
        n += 1;
    }
}
