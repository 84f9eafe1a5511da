__device__ int slot(int v) { int d = v & 3; return d; }
__global__ void count(int *bins, const int *key, int n)
{
    int bi = threadIdx.x;
    for (int i = 0; i < 2; i++) { int bi = key[i] & 3; bins[bi] += i; }
    for (int i = 0; i < 2; i++) { int d = i; bins[slot(key[threadIdx.x + i])] += d; }
    bins[bi++] = n;
    int d = slot(bi) + slot(bi + 1);
    if (slot(d)) bins[d & 3] = 1;
}
