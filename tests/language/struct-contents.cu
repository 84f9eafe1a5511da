// gridlock: verdict = passed
// gridlock: kernel = add_up
// gridlock: block = 8
// gridlock: extent = pairs=8
// gridlock: contents = pairs=zero
// gridlock: extent = sums=8
// gridlock: why = contents of an argument that points to structs are those of all their members

struct pair {
    int left;
    float right;
};

__global__ void add_up(const pair *pairs, float *sums)
{
    int i = threadIdx.x;
    assert(pairs[i].left == 0);
    sums[i] = pairs[i].right + pairs[i].left;
    assert(sums[i] == 0.0f);
}
