// gridlock: verdict = passed
// gridlock: grid = 1
// gridlock: block = 32
// gridlock: why = a pair of lanes that agree learn it, and only they

__global__ void agree(int *out)
{
    unsigned int pair = 3u << (threadIdx.x & 30);
    int all;
    unsigned int same = __match_all_sync(pair, threadIdx.x / 4, &all);
    assert(all && same == pair);
    same = __match_all_sync(pair, threadIdx.x, &all);
    assert(!all && same == 0);
    out[threadIdx.x] = all;
}
