// gridlock: verdict = refuted
// gridlock: kind = bad-warp-mask
// gridlock: grid = 1
// gridlock: block = 32
// gridlock: why = a lane calls with a mask it is not in

__global__ void agree(int *out)
{
    unsigned int pair = 3u << ((threadIdx.x + 2) & 30);
    int all;
    unsigned int same = __match_all_sync(pair, threadIdx.x / 4, &all); // <-- guilty
    assert(all && same == pair);
    same = __match_all_sync(pair, threadIdx.x, &all);
    assert(!all && same == 0);
    out[threadIdx.x] = all;
}
