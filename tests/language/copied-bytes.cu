// gridlock: verdict = proved
// gridlock: block = 16
// gridlock: extent = in=16
// gridlock: extent = out=16
// gridlock: why = a number of bytes that is less than a struct: each thread copies the head of its own

struct record {
    short first, second;
    char tag;
};

__global__ void copy_heads(const record *in, record *out)
{
    size_t bytes = 4;
    memcpy(&out[threadIdx.x], &in[threadIdx.x], bytes);
}
