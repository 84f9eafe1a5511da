// gridlock: verdict = refuted
// gridlock: kind = data-race
// gridlock: block = 40
// gridlock: extent = a=40
// gridlock: few-block = 2
// gridlock: why = a thread may overwrite what its left neighbour has not read yet

__global__ void shift_left(int *a)
{
    int t = threadIdx.x;
    int next = 0;
    if (t + 1 < blockDim.x)
        next = a[t + 1]; // <-- guilty
    a[t] = next; // <-- guilty
}
