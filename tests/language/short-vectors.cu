// gridlock: verdict = passed
// gridlock: block = 16
// gridlock: extent = words=32
// gridlock: why = four numbers of 16 bits are two words

static_assert(sizeof(ushort4) == 8 && alignof(ushort4) == 8 && sizeof(short3) == 6 && alignof(longlong2) == 16, "");

__global__ void clear(unsigned int *words)
{
    ushort4 zero = {0, 0, 0, 0};
    ((ushort4 *)words)[threadIdx.x] = zero;
}
