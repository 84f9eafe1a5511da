// gridlock: verdict = refuted
// gridlock: kind = data-race
// gridlock: block = 16
// gridlock: extent = words=32
// gridlock: why = four numbers of 16 bits are two words, and a thread also writes the second word of its neighbour

static_assert(sizeof(ushort4) == 8 && alignof(ushort4) == 8 && sizeof(short3) == 6 && alignof(longlong2) == 16, "");

__global__ void clear(unsigned int *words)
{
    ushort4 zero = {0, 0, 0, 0};
    ((ushort4 *)words)[threadIdx.x] = zero; // <-- guilty
    ((ushort4 *)words)[(threadIdx.x + 1) % 16].w = 1; // <-- guilty
}
