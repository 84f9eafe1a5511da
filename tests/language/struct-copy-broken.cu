// gridlock: verdict = refuted
// gridlock: kind = null-pointer
// gridlock: block = 2
// gridlock: why = the target of the copy is the null pointer: no extent is needed to see that

struct pair {
    short x, y;
};

__global__ void copy(pair *in)
{
    memcpy(0, &in[threadIdx.x], sizeof(pair)); // <-- guilty
}
