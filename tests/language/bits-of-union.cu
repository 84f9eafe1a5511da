// gridlock: verdict = proved
// gridlock: block = 32
// gridlock: extent = x=32
// gridlock: why = a union sees the bits of a float as fields, and each field knows for itself whether it has a value

union Bits {
    float number;
    unsigned whole;
    struct {
        unsigned mantissa : 23, exponent : 8, sign : 1;
    } part;
};

__global__ void magnitude(float *x)
{
    Bits bits;
    bits.number = x[threadIdx.x];
    bits.part.sign = 0;
    assert(bits.whole <= 0x7fffffffu);
    assert(bits.part.exponent == bits.whole >> 23);
    x[threadIdx.x] = bits.number;
    Bits one;
    one.part.sign = 1;
    one.part.exponent = 127;
    one.part.mantissa = 0;
    assert(one.whole == 0xbf800000u);
}
