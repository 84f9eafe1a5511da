// gridlock: verdict = passed
// gridlock: block = 8
// gridlock: shared-bytes = 128
// gridlock: why = structs of two types of members laid out over bytes, doubles behind them

struct item {
    int key;
    float value;
};

__global__ void sort(int *out)
{
    extern __shared__ char room[];
    item *items = (item *)room;
    double *sums = (double *)(items + blockDim.x);
    int t = threadIdx.x;
    items[t].key = t;
    items[t].value = 2.0f;
    sums[t] = 3.0;
    __syncthreads();
    item next = items[(t + 1) % blockDim.x];
    out[t] = next.key + (int)next.value + (int)sums[t];
}
