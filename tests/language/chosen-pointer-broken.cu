// gridlock: verdict = refuted
// gridlock: kind = data-race
// gridlock: grid = 1
// gridlock: block = 2
// gridlock: why = the reference stands for the first pointer, whatever the subscript is later

__global__ void store(int *s)
{
    int *q[2] = {s, s + 1};
    int i = 0;
    int *&r = q[i];
    i = threadIdx.x;
    *r = 1; // <-- guilty
}
