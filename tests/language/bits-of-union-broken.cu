// gridlock: verdict = refuted
// gridlock: kind = uninitialised-read
// gridlock: block = 32
// gridlock: extent = x=32
// gridlock: why = the whole is read before all of its fields have a value

union Bits {
    float number;
    unsigned whole;
    struct {
        unsigned mantissa : 23, exponent : 8, sign : 1;
    } part;
};

__global__ void magnitude(float *x)
{
    Bits one;
    one.part.sign = 1;
    one.part.exponent = 127;
    x[threadIdx.x] = one.whole; // <-- guilty
}
