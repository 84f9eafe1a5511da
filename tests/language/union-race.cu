// gridlock: verdict = proved
// gridlock: block = 4
// gridlock: extent = words=4
// gridlock: why = each thread has a union of its own

union Word {
    float value;
    unsigned int bits;
};

__global__ void fill(Word *words)
{
    if (threadIdx.x % 2)
        words[threadIdx.x].value = 1.0f;
    else
        words[threadIdx.x].bits = 0;
}
