// launch: --grid 1 --block 32
// after: proved
// wrong: refuted

// How many before are positive: by a loop, and by a vote.
__global__ void before(const int *in, int *rank)
{
    int n = 0;
    for (int k = 0; k < (int)threadIdx.x; k++) n += in[k] > 0;
    rank[threadIdx.x] = n;
}
#define BY_BALLOT(COND) \
    unsigned votes = __ballot_sync(0xffffffffu, COND); \
    rank[threadIdx.x] = __popc(votes & ((1u << threadIdx.x) - 1));
__global__ void after(const int *in, int *rank) { BY_BALLOT(in[threadIdx.x] > 0) }
__global__ void wrong(const int *in, int *rank) { BY_BALLOT(in[threadIdx.x] >= 0) }
