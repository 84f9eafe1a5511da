// gridlock: verdict = refuted
// gridlock: kind = uninitialised-read
// gridlock: kernel = add_up
// gridlock: block = 8
// gridlock: extent = pairs=8
// gridlock: contents = pairs=undef
// gridlock: extent = sums=8
// gridlock: why = no member of the structs has been written

struct pair {
    int left;
    float right;
};

__global__ void add_up(const pair *pairs, float *sums)
{
    int i = threadIdx.x;
    assert(pairs[i].left == 0); // <-- guilty
    sums[i] = pairs[i].right + pairs[i].left;
    assert(sums[i] == 0.0f);
}
