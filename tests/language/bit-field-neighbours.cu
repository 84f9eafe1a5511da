// gridlock: verdict = proved
// gridlock: grid = 1
// gridlock: block = 2
// gridlock: why = a width of 0 puts what follows into a memory location of its own

struct Flags {
    unsigned low : 4;
    unsigned : 0;
    unsigned high : 4;
};

__global__ void set(Flags *flags)
{
    if (threadIdx.x == 0)
        flags->low = 1;
    else
        flags->high = 2;
}
