// gridlock: verdict = refuted
// gridlock: kind = data-race
// gridlock: block = 4
// gridlock: extent = words=4
// gridlock: why = two members of one union are one place

union Word {
    float value;
    unsigned int bits;
};

__global__ void fill(Word *words)
{
    if (threadIdx.x % 2)
        words[threadIdx.x / 2].value = 1.0f;
    else
        words[threadIdx.x / 2].bits = 0;
}
