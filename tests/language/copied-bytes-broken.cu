// gridlock: verdict = refuted
// gridlock: kind = data-race
// gridlock: block = 16
// gridlock: extent = in=24
// gridlock: extent = out=24
// gridlock: why = one byte too many: the head of the next

struct record {
    short first, second;
};

__global__ void copy_heads(const record *in, record *out)
{
    size_t bytes = 5;
    memcpy(&out[threadIdx.x], &in[threadIdx.x], bytes); // <-- guilty
}
