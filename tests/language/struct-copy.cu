// gridlock: verdict = passed
// gridlock: block = 2
// gridlock: why = each thread copies its own struct, member by member

struct pair {
    short x, y;
};

__global__ void copy(pair *in, pair *out)
{
    memcpy(&out[threadIdx.x], &in[threadIdx.x], sizeof(pair));
}
