// gridlock: verdict = refuted
// gridlock: kind = data-race
// gridlock: block = 8
// gridlock: shared-bytes = 128
// gridlock: why = room for the keys alone: the doubles lie over the upper half of the structs

struct item {
    int key;
    float value;
};

__global__ void sort(int *out)
{
    extern __shared__ char room[];
    item *items = (item *)room;
    double *sums = (double *)(room + blockDim.x * sizeof(int));
    int t = threadIdx.x;
    items[t].key = t; // <-- guilty
    items[t].value = 2.0f; // <-- guilty
    sums[t] = 3.0; // <-- guilty
    __syncthreads();
    item next = items[(t + 1) % blockDim.x];
    out[t] = next.key + (int)next.value + (int)sums[t];
}
