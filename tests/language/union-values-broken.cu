// gridlock: verdict = refuted
// gridlock: kind = assertion
// gridlock: block = 4
// gridlock: extent = in=4
// gridlock: extent = out=4
// gridlock: contents = in=range:1:1
// gridlock: why = the sign is the highest bit of the upper half, not of the lower

#include <assert.h>

union Word {
    float value;
    unsigned int bits;
    struct {
        unsigned short low, high;
    } half;
};

struct Tagged {
    int tag;
    Word word;
};

__device__ bool is_negative(Word word)
{
    return (word.bits >> 31) != 0;
}

__device__ Word negated(Word word)
{
    word.half.low ^= 0x8000;
    return word;
}

__global__ void signs(const float *in, Tagged *out)
{
    __shared__ Tagged kept[4];
    int t = threadIdx.x;
    Tagged mine;
    mine.tag = t;
    mine.word.value = in[t];
    assert(!is_negative(mine.word));
    Word other = negated(mine.word);
    assert(is_negative(other) && other.value == -in[t]); // <-- guilty
    assert(negated(other).bits == mine.word.bits);
    Word one = {1.0f};
    assert(one.bits == 0x3f800000u && one.half.high == 0x3f80 && one.half.low == 0);
    kept[t] = mine;
    __syncthreads();
    out[t].tag = kept[3 - t].tag;
    out[t].word.value = kept[3 - t].word.value;
    out[t].word.bits |= 0x80000000u;
    assert(out[t].word.value == -in[3 - t]);
}
