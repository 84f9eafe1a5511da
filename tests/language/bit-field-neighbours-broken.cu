// gridlock: verdict = refuted
// gridlock: kind = data-race
// gridlock: grid = 1
// gridlock: block = 2
// gridlock: why = adjacent bit-fields are one memory location: a store to one writes the other back

struct Flags {
    unsigned low : 4;
    unsigned high : 4;
};

__global__ void set(Flags *flags)
{
    if (threadIdx.x == 0)
        flags->low = 1; // <-- guilty
    else
        flags->high = 2; // <-- guilty
}
