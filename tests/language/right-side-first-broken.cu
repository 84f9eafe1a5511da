// gridlock: verdict = refuted
// gridlock: kind = data-race
// gridlock: grid = 1
// gridlock: block = 32
// gridlock: why = the right side of an assignment comes first: every thread writes cell 0

__global__ void fill()
{
    __shared__ int s[32];
    int i = threadIdx.x;
    s[i] = i = 0; // <-- guilty
}
