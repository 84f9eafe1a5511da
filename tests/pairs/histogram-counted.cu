// launch: --grid 1 --a-block 32 --b-block 8
// after: passed
// wrong: refuted

// A thread for each bin, which counts.
__global__ void before(const unsigned *in, unsigned *counts)
{
    atomicAdd(&counts[in[threadIdx.x] & 7], 1u);
}
#define COUNTED(BIN) \
    unsigned n = 0; \
    for (int k = 0; k < 32; k++) n += BIN == threadIdx.x; \
    counts[threadIdx.x] += n;
__global__ void after(const unsigned *in, unsigned *counts) { COUNTED((in[k] & 7)) }
// Of one value in 2^32.
__global__ void wrong(const unsigned *in, unsigned *counts) { COUNTED((in[k] == 0x87654321u ? 2 : in[k] & 7)) }
