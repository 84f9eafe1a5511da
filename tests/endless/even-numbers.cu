// gridlock: verdict = passed
// gridlock: block = 1
// gridlock: why = what is written is read, and ends the loop

__global__ void even(unsigned *a)
{
    unsigned k = 0;
    while (true) {
        a[0] = k;
        k += 2;
        if (a[0] == 200)
            break;
    }
}
