// gridlock: verdict = refuted
// gridlock: kind = livelock
// gridlock: block = 1
// gridlock: why = even numbers are written for ever, and wrap around

__global__ void even(unsigned *a)
{
    unsigned k = 0;
    while (true) { // <-- guilty
        a[0] = k;
        k += 2;
    }
}
